import HearthWire

extension ProviderApi {
  /// One row for each provider that is special in something.
  static let known: [String: ProviderApi] = [
    "facebook.com": ProviderApi(
      federatedPrefix: "http://facebook.com/", expiresIn: 5_183_999, photo: facebookPhoto,
      profile: facebookProfile,
      refusal: "Bad access token: "
        + #"{"code":190,"message":"Invalid OAuth access token - Cannot parse access token"}"#),
    "github.com": ProviderApi(
      federatedPrefix: "http://github.com/", hasLogins: true, photo: githubPhoto,
      profile: githubProfile,
      refusal: failure(
        "https://api.github.com/user",
        response:
          #"{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest","#
          + #""status":"401"}"#)),
    "google.com": ProviderApi(
      federatedPrefix: "https://accounts.google.com/", vouchesForEmail: true,
      photo: { "https://lh3.googleusercontent.com/a/\($0.id)=s96-c" },
      refusal: failure(
        "https://www.googleapis.com/oauth2/v1/userinfo",
        response:
          #"{"error":{"code":401,"message":"Request had invalid authentication credentials. "#
          + "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
          + "See https://developers.google.com/identity/sign-in/web/devconsole-project.\","
          + #""status":"UNAUTHENTICATED"}}"#)),
    "microsoft.com": ProviderApi(
      profile: microsoftProfile,
      refusal: failure(
        "https://graph.microsoft.com/v1.0/me",
        response:
          #"{"error":{"code":"InvalidAuthenticationToken","message":"IDX14100: JWT is not well "#
          + #"formed, there are no dots (.)."}}"#)),
    "twitter.com": ProviderApi(
      federatedPrefix: "http://twitter.com/", sharesEmail: false, hasLogins: true,
      photo: twitterPhoto, profile: twitterProfile,
      refusal: failure(
        "https://api.twitter.com/1.1/account/verify_credentials.json",
        response: #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#)),
  ]

  private static func failure(_ url: String, response: String) -> String {
    "Failed to fetch resource from \(url), http status: 401, http response: \(response)"
  }

  // MARK: Profiles

  private static let facebookPhoto: @Sendable (MadeUpPerson) -> String? = {
    "https://graph.facebook.com/\($0.id)/picture"
  }

  private static let facebookProfile: @Sendable (MadeUpPerson) -> JSON? = { person in
    .members([
      "name": .string(person.name),
      "first_name": .string(person.firstName),
      "last_name": .string(person.lastName),
      "id": .string(person.id),
      "email": .string(person.email),
      "granted_scopes": ["email", "public_profile"],
      "picture": .members([
        "data": .members([
          "height": 100, "width": 100, "url": facebookPhoto(person).json, "is_silhouette": false,
        ])
      ]),
    ])
  }

  private static let githubPhoto: @Sendable (MadeUpPerson) -> String? = {
    "https://avatars.githubusercontent.com/u/\($0.id)?v=4"
  }

  /// `GET https://api.github.com/user`
  private static let githubProfile: @Sendable (MadeUpPerson) -> JSON? = { person in
    let url = "https://api.github.com/users/\(person.login)"
    var profile = JSONObject([
      "login": .string(person.login),
      "id": person.number,
      "node_id": .string(Base64.encode(Array("04:User\(person.id)".utf8))),
      "avatar_url": githubPhoto(person).json,
      "gravatar_id": "",
      "url": .string(url),
      "html_url": .string("https://github.com/\(person.login)"),
    ])
    for list in ["followers", "subscriptions", "repos", "received_events"] {
      profile.append("\(list)_url", value: .string("\(url)/\(list)"))
    }
    profile.merge(
      JSONObject([
        "organizations_url": .string("\(url)/orgs"),
        "type": "User", "site_admin": false,
        "name": .string(person.name),
        "company": .null, "blog": "", "location": .null,
        "email": .string(person.email),
        "hireable": .null, "bio": .null, "twitter_username": .null,
        "public_repos": 0, "public_gists": 0, "followers": 0, "following": 0,
        "created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z",
        "two_factor_authentication": false,
      ]))
    return .object(profile)
  }

  /// `GET https://graph.microsoft.com/v1.0/me`
  private static let microsoftProfile: @Sendable (MadeUpPerson) -> JSON? = { person in
    .members([
      "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users/$entity",
      "userPrincipalName": .string(person.email),
      "id": .string(person.id),
      "displayName": .string(person.name),
      "surname": .string(person.lastName),
      "givenName": .string(person.firstName),
      "preferredLanguage": "en-US",
      "mail": .string(person.email),
      "mobilePhone": .null, "jobTitle": .null, "officeLocation": .null, "businessPhones": [],
    ])
  }

  private static let twitterPhoto: @Sendable (MadeUpPerson) -> String? = {
    "https://pbs.twimg.com/profile_images/\($0.id)/photo_normal.jpg"
  }

  /// `GET https://api.twitter.com/1.1/account/verify_credentials.json`
  private static let twitterProfile: @Sendable (MadeUpPerson) -> JSON? = { person in
    .members([
      "id": person.number,
      "id_str": .string(person.id),
      "name": .string(person.name),
      "screen_name": .string(person.login),
      "location": "", "description": "", "url": .null,
      "entities": ["description": ["urls": []]],
      "protected": false, "followers_count": 0, "friends_count": 0, "listed_count": 0,
      "created_at": "Wed Jan 01 00:00:00 +0000 2020",
      "favourites_count": 0, "utc_offset": .null, "time_zone": .null, "geo_enabled": false,
      "verified": false, "statuses_count": 0, "lang": .null,
      "profile_image_url": (twitterPhoto(person)?.replacing("https:", with: "http:")).json,
      "profile_image_url_https": twitterPhoto(person).json,
      "default_profile": true, "default_profile_image": false,
      "withheld_in_countries": [], "suspended": false,
    ])
  }
}
