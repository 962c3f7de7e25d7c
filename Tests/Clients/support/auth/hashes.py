"""Firebase's scrypt, and the example that Firebase publishes for it."""

import firebase_scrypt

SEPARATOR = b"\x07"
# The example of https://github.com/firebase/scrypt.
PUBLISHED_PARAMETERS = {
    "hashAlgorithm": "SCRYPT",
    "rounds": 8,
    "memoryCost": 14,
    "saltSeparator": "Bw==",
    "signerKey": (
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
    ),
}
PUBLISHED_HASH = (
    "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
)


def firebase_scrypt_hash(password: str, salt: bytes, key: bytes, rounds=8, memory_cost=14) -> bytes:
    derived = firebase_scrypt.generate_derived_key(password, salt, SEPARATOR, rounds, memory_cost)
    return firebase_scrypt.encrypt(key, derived)
