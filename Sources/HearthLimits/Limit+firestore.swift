/// The limits of Firestore.
extension Limit {
  package static let documentSize = Limit(
    "a document", 1_048_576, "bytes",
    "Document '{name}' cannot be written because its size ({size} bytes) exceeds the maximum "
      + "allowed size of {LIMIT} bytes.", .quotas)
  package static let fieldValue = Limit(
    "the value of a field: a text or bytes", 1_048_487, "bytes",
    "The value of property \"{name}\" is longer than {limit} bytes.", .quotas)
  package static let fieldName = Limit(
    "the name of a field, or an alias", 1500, "bytes",
    "The {place}.name is longer than {limit} bytes.", .quotas)
  package static let fieldPath = Limit(
    "a field path", 1500, "bytes", "property path is longer than {limit} bytes.", .quotas)
  package static let fieldPathElements = Limit(
    "the elements of a field path", 20, "names", "paths must have at most {limit} elements",
    .measured)
  package static let depth = Limit(
    "maps and arrays within one another", 20, "levels",
    "Property {name} contains an invalid nested entity.", .quotas)
  package static let id = Limit(
    "the id of a collection or document", 1500, "bytes",
    "The key path element {part} is longer than {limit} bytes.", .quotas)
  package static let documentName = Limit(
    "the name of a document", 6144, "bytes", "The document name is longer than 6 KiB.", .quotas)
  package static let collectionDepth = Limit(
    "collections within one another", 100, "levels",
    "Key path is too long. Cannot exceed {limit} elements.", .quotas)
  package static let vectorDimensions = Limit(
    "the dimensions of a vector", 2048, "numbers", "Vectors must be at most {limit} dimensions.",
    .vectors)
  package static let indexedValue = Limit(
    "what is indexed of a value; the rest is cut", 1500, "bytes", .always, nil, "", .quotas)
  package static let indexEntries = Limit(
    "the index entries of a document", 40_000, "entries", .production,
    "too many index entries for entity {path}", .quotas)
  package static let indexEntrySize = Limit(
    "an index entry", 7680, "bytes", .production, "Index entry is too large.", .quotas)
  package static let indexEntriesSize = Limit(
    "all index entries of a document; documented are 8 MiB", 29_822_000, "bytes", .production,
    "Transaction too big. Decrease transaction size.", .recorded)
  package static let indexedName = Limit(
    "the path of a document below `documents`", 4627, "bytes", .production,
    "Index entry is too large.", .recorded)

  static let documents = [
    documentSize, fieldValue, fieldName, fieldPath, fieldPathElements, depth, id, documentName,
    collectionDepth, vectorDimensions, indexedValue, indexEntries, indexEntrySize,
    indexEntriesSize, indexedName,
  ]
}

extension Limit {
  package static let transforms = Limit(
    "the transforms of a document in a commit", 500, "transforms",
    "cannot have more than {limit} field transforms on a single document", .quotas)
  package static let requestSize = Limit(
    "a request over REST (with `--profile production`) or gRPC", 11_534_336, "bytes", .production,
    "Request payload size exceeds the limit: {limit} bytes.", .reported)
  package static let transactionSize = Limit(
    "the documents that a commit writes, together", 10_485_760, "bytes", .production,
    "Transaction too big. Decrease transaction size.", .quotas)
  package static let transactionTime = Limit(
    "a transaction, from its beginning", 270, "seconds of the project's clock", .production,
    "The referenced transaction has expired or is no longer valid.", .transactions)
  package static let idleTransaction = Limit(
    "a transaction that is not used", 60,
    "seconds; of the project's clock with `limits: production`",
    "The referenced transaction has expired or is no longer valid.", .transactions)
  package static let openTransactions = Limit(
    "open transactions", 100_000, "transactions", .always, "RESOURCE_EXHAUSTED",
    "Too many transactions are open.", .hearth)
  package static let pastReads = Limit(
    "how far back a read reaches", 3600, "seconds of the project's clock", .production,
    "FAILED_PRECONDITION", "The requested 'read_time' is too old.", .pastReads)

  static let requests = [
    transforms, requestSize, transactionSize, transactionTime, idleTransaction, openTransactions,
    pastReads,
  ]
}

extension Limit {
  package static let operand = Limit(
    "a value that a query compares with, as it is stored", 1500, "bytes", .emulator,
    "value for {name} is too large to be used in a query", .measured)
  package static let queriedId = Limit(
    "the id of a collection that is queried", 1500, "bytes",
    "The query kind is longer than {limit} bytes.", .quotas)
  package static let disjunctions = Limit(
    "disjunctions of a query in disjunctive normal form", 30, "disjunctions",
    "Too many disjunctions after normalization. Result had {count} disjunctions which is more than "
      + "the maximum of {limit}", .queries)
  package static let comparisonValues = Limit(
    "values of `in` and `array-contains-any`", 30, "values",
    "'{operator}' supports up to {limit} comparison values.", .queries)
  package static let excludedValues = Limit(
    "values of `not-in`", 10, "values", "'NOT_IN' supports up to {limit} comparison values.",
    .queries)
  package static let inequalityFields = Limit(
    "fields with inequalities in a query", 10, "fields",
    "The query contains {count} distinct inequality fields: [{fields}]. A query may not have more "
      + "than {limit} distinct inequality fields.", .queries)
  package static let aggregations = Limit(
    "aggregations of a query", 5, "aggregations",
    "The maximum number of aggregations allowed in an aggregation query is {limit}. Received: "
      + "{count}", .recorded)
  package static let nearestNeighbours = Limit(
    "results of a nearest-neighbour search", 1000, "documents",
    "FindNearest.limit must be a positive integer of no more than {limit}", .vectors)

  package static let queryParts = Limit(
    "filters and orders of a query, and one more for a query below a document", 100, "in all",
    "The query may not have more than {limit} filters + sort orders + ancestor total. Currently "
      + "there are {filters} filters, {orders} sort orders, and {ancestor} ancestor filter.",
    .queries)

  static let queries = [
    queriedId, operand, queryParts, disjunctions, comparisonValues, excludedValues,
    inequalityFields, aggregations, nearestNeighbours,
  ]
}
