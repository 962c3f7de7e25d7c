import Testing

@testable import HearthIdentityToolkit
