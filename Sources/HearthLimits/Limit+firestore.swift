/// The limits of Firestore.
extension Limit {
  package static let documentSize = Limit(
    "a document", value: 1_048_576, unit: "bytes",
    text: "Document '{name}' cannot be written because its size ({size} bytes) exceeds the maximum "
      + "allowed size of {LIMIT} bytes.", source: .quotas)
  package static let fieldValue = Limit(
    "the value of a field: a text or bytes", value: 1_048_487, unit: "bytes",
    text: "The value of property \"{name}\" is longer than {limit} bytes.", source: .quotas)
  package static let fieldName = Limit(
    "the name of a field, or an alias", value: 1500, unit: "bytes",
    text: "The {place}.name is longer than {limit} bytes.", source: .quotas)
  package static let fieldPath = Limit(
    "a field path", value: 1500, unit: "bytes", text: "property path is longer than {limit} bytes.",
    source: .quotas)
  package static let fieldPathElements = Limit(
    "the elements of a field path", value: 20, unit: "names",
    text: "paths must have at most {limit} elements", source: .measured)
  package static let depth = Limit(
    "maps and arrays within one another", value: 20, unit: "levels",
    text: "Property {name} contains an invalid nested entity.", source: .quotas)
  package static let id = Limit(
    "the id of a collection or document", value: 1500, unit: "bytes",
    text: "The key path element {part} is longer than {limit} bytes.", source: .quotas)
  package static let documentName = Limit(
    "the name of a document", value: 6144, unit: "bytes",
    text: "The document name is longer than 6 KiB.", source: .quotas)
  package static let collectionDepth = Limit(
    "collections within one another", value: 100, unit: "levels",
    text: "Key path is too long. Cannot exceed {limit} elements.", source: .quotas)
  package static let vectorDimensions = Limit(
    "the dimensions of a vector", value: 2048, unit: "numbers",
    text: "Vectors must be at most {limit} dimensions.", source: .vectors)
  package static let indexedValue = Limit(
    "what is indexed of a value; the rest is cut", value: 1500, unit: "bytes", condition: .always,
    status: nil, text: "", source: .quotas)
  package static let indexEntries = Limit(
    "the index entries of a document", value: 40_000, unit: "entries", condition: .production,
    text: "too many index entries for entity {path}", source: .quotas)
  package static let indexEntrySize = Limit(
    "an index entry", value: 7680, unit: "bytes", condition: .production,
    text: "Index entry is too large.", source: .quotas)
  package static let indexEntriesSize = Limit(
    "all index entries of a document; documented are 8 MiB", value: 29_822_000, unit: "bytes",
    condition: .production,
    text: "Transaction too big. Decrease transaction size.", source: .recorded)
  package static let indexedName = Limit(
    "the path of a document below `documents`", value: 4627, unit: "bytes", condition: .production,
    text: "Index entry is too large.", source: .recorded)

  static let documents = [
    documentSize, fieldValue, fieldName, fieldPath, fieldPathElements, depth, id, documentName,
    collectionDepth, vectorDimensions, indexedValue, indexEntries, indexEntrySize,
    indexEntriesSize, indexedName,
  ]
}

extension Limit {
  package static let transforms = Limit(
    "the transforms of a document in a commit", value: 500, unit: "transforms",
    text: "cannot have more than {limit} field transforms on a single document", source: .quotas)
  package static let requestSize = Limit(
    "a request over REST (with `--profile production`) or gRPC", value: 11_534_336, unit: "bytes",
    condition: .production,
    text: "Request payload size exceeds the limit: {limit} bytes.", source: .reported)
  package static let transactionSize = Limit(
    "the documents that a commit writes, together", value: 10_485_760, unit: "bytes",
    condition: .production,
    text: "Transaction too big. Decrease transaction size.", source: .quotas)
  package static let transactionTime = Limit(
    "a transaction, from its beginning", value: 270, unit: "seconds of the project's clock",
    condition: .production,
    text: "The referenced transaction has expired or is no longer valid.", source: .transactions)
  package static let idleTransaction = Limit(
    "a transaction that is not used", value: 60,
    unit: "seconds; of the project's clock with `limits: production`",
    text: "The referenced transaction has expired or is no longer valid.", source: .transactions)
  package static let openTransactions = Limit(
    "open transactions", value: 100_000, unit: "transactions", condition: .always,
    status: "RESOURCE_EXHAUSTED", text: "Too many transactions are open.", source: .hearth)
  package static let pastReads = Limit(
    "how far back a read reaches", value: 3600, unit: "seconds of the project's clock",
    condition: .production, status: "FAILED_PRECONDITION",
    text: "The requested 'read_time' is too old.", source: .pastReads)

  static let requests = [
    transforms, requestSize, transactionSize, transactionTime, idleTransaction, openTransactions,
    pastReads,
  ]
}

extension Limit {
  package static let operand = Limit(
    "a value that a query compares with, as it is stored", value: 1500, unit: "bytes",
    condition: .emulator,
    text: "value for {name} is too large to be used in a query", source: .measured)
  package static let queriedId = Limit(
    "the id of a collection that is queried", value: 1500, unit: "bytes",
    text: "The query kind is longer than {limit} bytes.", source: .quotas)
  package static let disjunctions = Limit(
    "disjunctions of a query in disjunctive normal form", value: 30, unit: "disjunctions",
    text:
      "Too many disjunctions after normalization. Result had {count} disjunctions which is more than "
      + "the maximum of {limit}", source: .queries)
  package static let comparisonValues = Limit(
    "values of `in` and `array-contains-any`", value: 30, unit: "values",
    text: "'{operator}' supports up to {limit} comparison values.", source: .queries)
  package static let excludedValues = Limit(
    "values of `not-in`", value: 10, unit: "values",
    text: "'NOT_IN' supports up to {limit} comparison values.", source: .queries)
  package static let inequalityFields = Limit(
    "fields with inequalities in a query", value: 10, unit: "fields",
    text:
      "The query contains {count} distinct inequality fields: [{fields}]. A query may not have more "
      + "than {limit} distinct inequality fields.", source: .queries)
  package static let aggregations = Limit(
    "aggregations of a query", value: 5, unit: "aggregations",
    text:
      "The maximum number of aggregations allowed in an aggregation query is {limit}. Received: "
      + "{count}", source: .recorded)
  package static let nearestNeighbours = Limit(
    "results of a nearest-neighbour search", value: 1000, unit: "documents",
    text: "FindNearest.limit must be a positive integer of no more than {limit}", source: .vectors)

  package static let queryParts = Limit(
    "filters and orders of a query, and one more for a query below a document", value: 100,
    unit: "in all",
    text:
      "The query may not have more than {limit} filters + sort orders + ancestor total. Currently "
      + "there are {filters} filters, {orders} sort orders, and {ancestor} ancestor filter.",
    source: .queries)

  static let queries = [
    queriedId, operand, queryParts, disjunctions, comparisonValues, excludedValues,
    inequalityFields, aggregations, nearestNeighbours,
  ]
}
