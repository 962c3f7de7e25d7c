import HearthCrypto
import Testing

/// The hashes are those of libxcrypt.
@Suite struct `BCRYPT` {
  static let hashes: [(password: String, hash: String)] = [
    ("", "$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq"),
    ("correct horse", "$2b$04$N9qo8uLOickgx2ZMRZoMye7lwnnKjdKULIb0Soe6BjJXxCPR1R3dC"),
    ("correct horse", "$2b$06$N9qo8uLOickgx2ZMRZoMyeOx4p9vaB0cl4/MY6IBAjmsxdir738TC"),
    ("π ünïcödé", "$2a$04$zzzzzzzzzzzzzzzzzzzzzel5Pj0YJ83cUk0XAxlgfU4ZVT98YrjQK"),
    ("π ünïcödé", "$2x$04$zzzzzzzzzzzzzzzzzzzzze3BsitJMaRWforDtR.EX1qKJ7YqtV7pC"),
    (
      String(repeating: "x", count: 71),
      "$2y$04$......................MUTKUDIj4cZc60IEsGqjRod/wxELAN."
    ),
    // Only 72 bytes count, and nothing after a zero byte.
    (
      String(repeating: "x", count: 72),
      "$2b$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi"
    ),
    (
      String(repeating: "x", count: 72) + "y",
      "$2b$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi"
    ),
    ("ab", "$2b$04$012345678901234567890utohgDW965ugK5c11tSCgVS8gB.iEueu"),
    ("ab\0cd", "$2b$04$012345678901234567890utohgDW965ugK5c11tSCgVS8gB.iEueu"),
  ]

  @Test(arguments: hashes) func `agrees with the C library`(password: String, hash: String) {
    #expect(BCrypt.matches(password, hash: hash))
    #expect(!BCrypt.matches("other" + password, hash: hash))
  }

  @Test(arguments: [
    "", "$2b$04$too short", "*0",
    // Too short, too long, of an unknown variant or cost, and with characters that do not belong.
    "$2b$04$012345678901234567890utohgDW965ugK5c11tSCgVS8gB.iEue",
    "$2b$04$012345678901234567890utohgDW965ugK5c11tSCgVS8gB.iEueuu",
    "$2c$04$012345678901234567890utohgDW965ugK5c11tSCgVS8gB.iEueu",
    "$2b$03$012345678901234567890utohgDW965ugK5c11tSCgVS8gB.iEueu",
    "$2b$+4$012345678901234567890utohgDW965ugK5c11tSCgVS8gB.iEueu",
    "$2b$04$01234567890123456789!utohgDW965ugK5c11tSCgVS8gB.iEueu",
    // The salt's last character has bits that are not part of the salt.
    "$2b$04$012345678901234567890vtohgDW965ugK5c11tSCgVS8gB.iEueu",
  ]) func `takes no other text for a hash`(hash: String) {
    #expect(!BCrypt.matches("ab", hash: hash))
  }
}
