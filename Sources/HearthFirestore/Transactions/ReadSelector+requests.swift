import HearthFirestoreProtos

/// When a request reads, as it says. Each kind of request has a type of its own for that.
extension ReadSelector {
  init(_ selector: GetDocumentRequest.OneOf_ConsistencySelector?) {
    self =
      switch selector {
      case .transaction(let id)?: .transaction(id)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
  }

  init(_ selector: ListDocumentsRequest.OneOf_ConsistencySelector?) {
    self =
      switch selector {
      case .transaction(let id)?: .transaction(id)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
  }

  init(_ selector: BatchGetDocumentsRequest.OneOf_ConsistencySelector?) {
    self =
      switch selector {
      case .transaction(let id)?: .transaction(id)
      case .newTransaction(let options)?: .newTransaction(options)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
  }

  init(_ selector: RunQueryRequest.OneOf_ConsistencySelector?) {
    self =
      switch selector {
      case .transaction(let id)?: .transaction(id)
      case .newTransaction(let options)?: .newTransaction(options)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
  }

  init(_ selector: RunAggregationQueryRequest.OneOf_ConsistencySelector?) {
    self =
      switch selector {
      case .transaction(let id)?: .transaction(id)
      case .newTransaction(let options)?: .newTransaction(options)
      case .readTime(let time)?: .time(time)
      case nil: .now
      }
  }
}
