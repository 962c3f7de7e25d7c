import HearthErrors
import HearthOperations
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthIdentityToolkit

@Suite struct `A search of accounts` {
  private func project() throws -> TestProject {
    let project = try TestProject(AccountsSchema.migrations)
    try project.inProject { project throws(APIError) in
      for (index, id) in ["b", "a", "\u{FF5E}", "😀"].enumerated() {
        var user = User(localId: id, tenantId: nil)
        user.email = Email("\(4 - index)@b.c")
        user.displayName = index == 0 ? nil : "n\(index)"
        // As text, 10 is before 9.
        user.createdAt = .number(Int64(9 + index))
        user.lastLoginAt = .number(Int64(100 - index))
        if index == 1 { user.phoneNumber = PhoneNumber("+1") }
        try Accounts(in: project).save(&user)
      }
    }
    return project
  }

  private func ids(_ body: JSON) throws -> [String] {
    let request = WireRequest(body: body.object ?? JSONObject())
    return try project().inProject { project throws(APIError) in
      try Accounts(in: project).users(
        AccountSearch(request), order: try AccountOrder(.init(request), as: .emulator)
      ).map(\.localId)
    }
  }

  @Test(
    arguments: [
      ([:], ["a", "b", "😀", "\u{FF5E}"]), (["order": "DESC"], ["\u{FF5E}", "😀", "b", "a"]),
      // A part is cut out by the store, whose order is by the bytes of UTF-8.
      (["limit": "4"], ["a", "b", "\u{FF5E}", "😀"]), (["offset": "2"], ["\u{FF5E}", "😀"]),
      (["limit": "1", "offset": "1"], ["b"]), (["limit": "0"], []), (["limit": ""], nil),
      (["sortBy": "CREATED_AT"], ["b", "a", "\u{FF5E}", "😀"]),
      (["sortBy": "CREATED_AT", "order": "DESC", "limit": "2"], ["😀", "\u{FF5E}"]),
      (["sortBy": "LAST_LOGIN_AT"], ["😀", "\u{FF5E}", "a", "b"]),
      (["sortBy": "NAME"], ["b", "a", "\u{FF5E}", "😀"]),
      (["sortBy": "USER_EMAIL"], ["😀", "\u{FF5E}", "a", "b"]),
      (["sortBy": "USER_ID"], nil), (["sortBy": "nothing known"], nil),
    ] as [(JSON, [String]?)])
  func `has an order and a part`(body: JSON, expected: [String]?) throws {
    #expect(try ids(body) == expected ?? ["a", "b", "😀", "\u{FF5E}"])
  }

  @Test(
    arguments: [
      ([["email": "4@B.c"]], ["b"]), ([["phoneNumber": "+1"]], ["a"]), ([["userId": "😀"]], ["😀"]),
      // Any of them.
      ([["email": "4@b.c", "userId": "a"]], ["a", "b"]),
      ([["userId": "b"], ["userId": "a"]], ["a", "b"]),
      ([["email": "nobody@b.c"]], []), ([[:]], ["a", "b", "😀", "\u{FF5E}"]),
      ([["email": ""]], ["a", "b", "😀", "\u{FF5E}"]),
    ] as [(JSON, [String])])
  func `finds by any of its expressions`(expressions: JSON, expected: [String]) throws {
    #expect(try ids(["expression": expressions]) == expected)
  }

  @Test(arguments: ["-1", "1.5", "x", "9223372036854775808"])
  func `takes whole numbers only`(limit: String) {
    for field in ["limit", "offset"] {
      #expect(throws: APIError(.badArgument, detail: "\(field) must be a whole number")) {
        try ids([field: .string(limit)])
      }
    }
  }
}
