import HearthCrypto
import HearthErrors
package import HearthOperations
import HearthTime
import HearthWire

/// What background functions and watchers hear about users.
extension Accounts {
  func publishCreated(_ user: User, context: Context) {
    // Some are announced before they are stored, which is when these entries are made.
    var user = user
    user.refreshProviders()
    publish("create", user: user, context: context)
  }

  package func publishDeleted(_ user: User, context: Context) {
    publish("delete", user: user, context: context)
  }

  /// To be called before the user is stored. Where nobody watches, nothing is read.
  func publishUpdated(_ user: User) throws(APIError) {
    guard server.changes.isWatched, let before = try self.user(localId: user.localId),
      user.differs(from: before)
    else { return }
    publish("user.updated", members: user.eventMembers)
  }

  /// Imported users are announced together: an import may bring a hundred thousand.
  package func publishImported(_ count: Int) {
    if count > 0 { publish("users.imported", members: .members(["count": .int(Int64(count))])) }
  }

  private func publish(_ kind: String, user: User, context: Context) {
    publish(kind == "create" ? "user.created" : "user.deleted", members: user.eventMembers)
    guard server.sendsUserEvents else { return }
    let event = JSON.members([
      "eventId": .string(context.random.uuid()),
      "eventType": .string("providers/firebase.auth/eventTypes/user.\(kind)"),
      "resource": .members([
        "name": .string("projects/\(projectId)"), "service": "firebaseauth.googleapis.com",
      ]),
      "params": [:],
      "timestamp": .string(context.now.iso8601),
      "data": user.eventData,
    ])
    project.outbox.userEvents.append(event)
  }
}

extension User {
  fileprivate var eventMembers: JSON {
    .members(["localId": .string(localId), "email": email.json])
  }

  /// Whether more has happened to the account than that its user signed in. An imported hash, too,
  /// is replaced then.
  fileprivate func differs(from before: User) -> Bool {
    var before = before
    before.lastLoginAt = lastLoginAt
    before.lastRefreshAt = lastRefreshAt
    if before.password?.foreign != nil, before.passwordUpdatedAt == passwordUpdatedAt {
      before.password = password
    }
    return record.text != before.record.text
  }

  /// No hash, no salt, no `validSince`.
  fileprivate var eventData: JSON {
    func time(_ milliseconds: AccountTime?) -> JSON? {
      (milliseconds?.number).map { .string(Timestamp(milliseconds: $0).iso8601) }
    }
    return .members([
      "uid": .string(localId),
      "email": email.json,
      "emailVerified": emailVerified.json,
      "displayName": displayName.json,
      "photoURL": photoUrl.json,
      "phoneNumber": phoneNumber.json,
      "disabled": disabled.json,
      "metadata": .members(["creationTime": time(createdAt), "lastSignInTime": time(lastLoginAt)]),
      "customClaims": customClaims,
      "providerData": providerUserInfo.map { .array($0.map(Self.eventProvider)) },
      "tenantId": tenantId.json,
      "mfaInfo": mfaInfo.map { .array($0.map(\.json)) },
    ])
  }

  private static func eventProvider(_ provider: ProviderUserInfo) -> JSON {
    .members([
      "rawId": provider.rawId.json,
      "providerId": .string(provider.providerId),
      "displayName": provider.displayName.json,
      "email": provider.email.json,
      "federatedId": provider.federatedId.json,
      "phoneNumber": provider.phoneNumber.json,
      "photoURL": provider.photoUrl.json,
      "screenName": provider.screenName.json,
    ])
  }
}
