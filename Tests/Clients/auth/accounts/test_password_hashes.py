"""Passwords hashed elsewhere, each by another library, and imported here.

The official emulator stores such hashes and never matches them. Hearth verifies them and replaces
them by its own at the first sign-in."""

import base64
import hashlib
import hmac
import os
import secrets

import bcrypt
import firebase_admin
import firebase_scrypt
import google.auth.credentials
import passlib.hash
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from firebase_admin import auth, credentials, exceptions
from support.auth.hashes import PUBLISHED_HASH, PUBLISHED_PARAMETERS, firebase_scrypt_hash
from support.server import PROJECT
from support.wire import V1

PASSWORD = "correct horse – batterie à cheval"
SALT = b"\x00salt/\xfb\xff+"
KEY = b"\x01a signer key\xff\xfe"
SEPARATOR = b"\x07"
ORDERS = ["SALT_AND_PASSWORD", "PASSWORD_AND_SALT"]
PUBLISHED_SALT = "42xEC+ixf3L2lw=="
PUBLISHED_PASSWORD = "user1password"


def standard(data: bytes) -> str:
    return base64.b64encode(data).decode()


def url_safe(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()


def unpadded(data: bytes) -> str:
    return url_safe(data).rstrip("=")


def ordered(order: str, password: str, salt: bytes, separator: bytes = b"") -> bytes:
    parts = [salt, separator, password.encode()]
    return b"".join(parts if order == "SALT_AND_PASSWORD" else reversed(parts))


def iterated(name: str, data: bytes, rounds: int) -> bytes:
    for _ in range(rounds):
        data = hashlib.new(name, data).digest()
    return data


def scrypt_then_aes(password: str, salt: bytes, key: bytes, rounds=8, memory_cost=14) -> bytes:
    """The published algorithm once more, over hashlib and cryptography."""
    derived = hashlib.scrypt(
        password.encode(),
        salt=salt + SEPARATOR,
        n=2**memory_cost,
        r=rounds,
        p=1,
        dklen=64,
        maxmem=64 << 20,
    )
    encryptor = Cipher(algorithms.AES(derived[:32]), modes.CTR(bytes(16))).encryptor()
    return encryptor.update(key) + encryptor.finalize()


def standard_scrypt(password: str, salt: bytes, n: int, r: int, p: int, length: int) -> bytes:
    return hashlib.scrypt(
        password.encode(), salt=salt, n=n, r=r, p=p, dklen=length, maxmem=256 << 20
    )


def passlib_pbkdf2(kind, password: str, salt: bytes, rounds: int) -> bytes:
    made = kind.using(salt=salt, rounds=rounds).hash(password)
    return kind.from_string(made).checksum


def case(name: str, parameters: dict, hashed: bytes, salt: bytes | None = SALT):
    return pytest.param(parameters, hashed, salt, id=name)


def scrypt_cases():
    for name, make in [
        ("firebase-scrypt", firebase_scrypt_hash),
        ("cryptography", scrypt_then_aes),
    ]:
        for rounds, memory_cost in [(8, 14), (1, 1), (3, 10)]:
            parameters = {
                "hashAlgorithm": "SCRYPT",
                "signerKey": standard(KEY * 5),
                "rounds": rounds,
                "saltSeparator": standard(SEPARATOR),
                "memoryCost": memory_cost,
            }
            yield case(
                f"SCRYPT-{name}-{rounds}-{memory_cost}",
                parameters,
                make(PASSWORD, SALT, KEY * 5, rounds, memory_cost),
            )


def standard_scrypt_cases():
    for n, r, p, length in [
        (1024, 8, 16, 64),
        (2, 1, 1, 16),
        (16384, 8, 1, 32),
        (256, 3, 2, 100),
        (1 << 15, 1, 1, 32),
    ]:
        parameters = {
            "hashAlgorithm": "STANDARD_SCRYPT",
            "cpuMemCost": n,
            "blockSize": r,
            "parallelization": p,
            "dkLen": length,
        }
        yield case(
            f"STANDARD_SCRYPT-{n}-{r}-{p}-{length}",
            parameters,
            standard_scrypt(PASSWORD, SALT, n, r, p, length),
        )


def bcrypt_cases():
    made = {
        "2b": bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(6)),
        "2a": bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4, prefix=b"2a")),
        # PHP's name for the same function.
        "2y": bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).replace(b"$2b$", b"$2y$"),
    }
    for name, hashed in made.items():
        yield case(f"BCRYPT-{name}", {"hashAlgorithm": "BCRYPT"}, hashed, None)


def pbkdf_cases():
    for name, digest, kind in [
        ("PBKDF_SHA1", "sha1", passlib.hash.pbkdf2_sha1),
        ("PBKDF2_SHA256", "sha256", passlib.hash.pbkdf2_sha256),
    ]:
        for rounds in (1, 1000, 29_000):
            parameters = {"hashAlgorithm": name, "rounds": rounds}
            yield case(
                f"{name}-passlib-{rounds}", parameters, passlib_pbkdf2(kind, PASSWORD, SALT, rounds)
            )
            for length in (16, 64):
                made = hashlib.pbkdf2_hmac(digest, PASSWORD.encode(), SALT, rounds, length)
                yield case(f"{name}-hashlib-{rounds}-{length}", parameters, made)


def hmac_cases():
    for digest in ("sha512", "sha256", "sha1", "md5"):
        for order in ORDERS:
            for separator in (b"", SEPARATOR):
                name = f"HMAC_{digest.upper()}"
                parameters = {
                    "hashAlgorithm": name,
                    "signerKey": standard(KEY),
                    "passwordHashOrder": order,
                }
                if separator:
                    parameters["saltSeparator"] = standard(separator)
                data = ordered(order, PASSWORD, SALT, separator)
                yield case(
                    f"{name}-{order}-{len(separator)}", parameters, hmac.digest(KEY, data, digest)
                )


def digest_cases():
    for digest in ("sha512", "sha256", "sha1", "md5"):
        for order in ORDERS:
            for rounds in (1, 2, 8192):
                parameters = {
                    "hashAlgorithm": digest.upper(),
                    "rounds": rounds,
                    "passwordHashOrder": order,
                }
                data = ordered(order, PASSWORD, SALT)
                yield case(
                    f"{digest.upper()}-{order}-{rounds}", parameters, iterated(digest, data, rounds)
                )
        yield case(
            f"{digest.upper()}-unsalted",
            {"hashAlgorithm": digest.upper(), "rounds": 1},
            iterated(digest, PASSWORD.encode(), 1),
            None,
        )


CASES = [
    *scrypt_cases(),
    *standard_scrypt_cases(),
    *bcrypt_cases(),
    *pbkdf_cases(),
    *hmac_cases(),
    *digest_cases(),
]


def imported(hearth, parameters: dict, *users: dict) -> None:
    answer = hearth.admin("/accounts:batchCreate", {**parameters, "users": list(users)})
    assert answer == {"kind": "identitytoolkit#UploadAccountResponse", "error": []}


def refused(hearth, body: dict, path: str = V1 + "signInWithPassword") -> str:
    reply = hearth.post(path + "?key=any", body)
    assert reply.status_code == 400, reply.text
    return reply.json()["error"]["message"]


def stored(hearth, uid: str) -> dict:
    [user] = hearth.admin("/accounts:lookup", {"localId": [uid]})["users"]
    return user


def works_and_is_replaced(hearth, uid: str, email: str, password: str = PASSWORD) -> None:
    """A wrong password is refused before and after; the right one works more than once."""
    before = stored(hearth, uid)["passwordHash"]
    wrong = {"email": email, "password": password + "x"}
    assert refused(hearth, wrong) == "INVALID_PASSWORD"
    assert refused(hearth, {"email": email, "password": password.swapcase()}) == "INVALID_PASSWORD"
    assert stored(hearth, uid)["passwordHash"] == before
    right = {"email": email, "password": password}
    assert hearth.accounts("signInWithPassword", right)["localId"] == uid
    after = stored(hearth, uid)
    assert after["passwordHash"] != before
    assert hearth.accounts("signInWithPassword", right)["localId"] == uid
    assert refused(hearth, wrong) == "INVALID_PASSWORD"
    assert stored(hearth, uid)["passwordHash"] == after["passwordHash"]


def test_our_two_ways_to_firebases_scrypt_agree_with_the_published_example():
    key, salt = map(base64.b64decode, (PUBLISHED_PARAMETERS["signerKey"], PUBLISHED_SALT))
    assert standard(firebase_scrypt_hash(PUBLISHED_PASSWORD, salt, key)) == PUBLISHED_HASH
    assert standard(scrypt_then_aes(PUBLISHED_PASSWORD, salt, key)) == PUBLISHED_HASH


@pytest.mark.parametrize(
    "hashed",
    [
        b"hearth2$" + hashlib.sha256(SALT + PASSWORD.encode()).digest(),
        b"hearth1$" + hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), SALT, 10),
    ],
)
def test_our_own_hashes_sign_in_beside_foreign_ones(hearth, address, hashed):
    imported(
        hearth,
        PUBLISHED_PARAMETERS,
        {
            "localId": address,
            "email": address,
            "passwordHash": unpadded(hashed),
            "salt": unpadded(SALT),
        },
    )
    assert refused(hearth, {"email": address, "password": PASSWORD + "x"}) == "INVALID_PASSWORD"
    hearth.accounts("signInWithPassword", {"email": address, "password": PASSWORD})


def test_the_published_example_of_firebases_scrypt_signs_in(hearth, address):
    imported(
        hearth,
        PUBLISHED_PARAMETERS,
        {
            "localId": address,
            "email": address,
            "passwordHash": PUBLISHED_HASH,
            "salt": PUBLISHED_SALT,
        },
    )
    works_and_is_replaced(hearth, address, address, PUBLISHED_PASSWORD)


@pytest.mark.parametrize("parameters, hashed, salt", CASES)
def test_an_imported_hash_signs_in_and_is_replaced(hearth, address, parameters, hashed, salt):
    uid = secrets.token_hex(8)
    user = {"localId": uid, "email": address, "passwordHash": standard(hashed)}
    imported(hearth, parameters, user | ({"salt": standard(salt)} if salt else {}))
    works_and_is_replaced(hearth, uid, address)


@pytest.mark.parametrize("encode", [standard, url_safe, unpadded])
def test_every_spelling_of_base64_is_read(hearth, address, encode):
    parameters = {
        "hashAlgorithm": "HMAC_SHA256",
        "signerKey": encode(KEY * 3),
        "passwordHashOrder": "PASSWORD_AND_SALT",
    }
    hashed = hmac.digest(KEY * 3, PASSWORD.encode() + SALT, "sha256")
    imported(
        hearth,
        parameters,
        {
            "localId": address,
            "email": address,
            "passwordHash": encode(hashed),
            "salt": encode(SALT),
        },
    )
    works_and_is_replaced(hearth, address, address)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("keyed", [True, False])
def test_the_other_order_does_not_sign_in(hearth, address, order, keyed):
    [other] = {*ORDERS} - {order}
    data = ordered(other, PASSWORD, SALT)
    parameters = {"passwordHashOrder": order} | (
        {"hashAlgorithm": "HMAC_SHA256", "signerKey": standard(KEY)}
        if keyed
        else {"hashAlgorithm": "SHA256", "rounds": 1}
    )
    hashed = hmac.digest(KEY, data, "sha256") if keyed else hashlib.sha256(data).digest()
    imported(
        hearth,
        parameters,
        {
            "localId": address,
            "email": address,
            "passwordHash": standard(hashed),
            "salt": standard(SALT),
        },
    )
    assert refused(hearth, {"email": address, "password": PASSWORD}) == "INVALID_PASSWORD"


def test_each_user_of_one_import_keeps_a_salt_and_a_password_of_its_own(hearth, address):
    people = {f"{n}-{address}": (f"password {n}", os.urandom(8 + n)) for n in range(5)}
    imported(
        hearth,
        {"hashAlgorithm": "PBKDF2_SHA256", "rounds": 100},
        *(
            {
                "localId": email,
                "email": email,
                "salt": standard(salt),
                "passwordHash": standard(
                    hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 100)
                ),
            }
            for email, (password, salt) in people.items()
        ),
    )
    for email, (password, _) in people.items():
        works_and_is_replaced(hearth, email, email, password)


def test_an_imported_password_can_be_reset_and_changed(hearth, address):
    imported(
        hearth,
        {"hashAlgorithm": "MD5", "rounds": 1},
        {
            "localId": address,
            "email": address,
            "passwordHash": standard(hashlib.md5(PASSWORD.encode()).digest()),
        },
    )
    hearth.accounts("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
    code = hearth.mail(address, "PASSWORD_RESET")["oobCode"]
    hearth.accounts("resetPassword", {"oobCode": code, "newPassword": "a new secret"})
    assert refused(hearth, {"email": address, "password": PASSWORD}) == "INVALID_PASSWORD"
    hearth.accounts("signInWithPassword", {"email": address, "password": "a new secret"})


def test_a_hash_that_is_not_one_matches_nothing(hearth, address):
    imported(
        hearth,
        {"hashAlgorithm": "BCRYPT"},
        {"localId": address, "email": address, "passwordHash": standard(b"$2b$04$too short")},
    )
    for password in (PASSWORD, "$2b$04$too short", "*0"):
        assert refused(hearth, {"email": address, "password": password}) == "INVALID_PASSWORD"


def test_an_unknown_algorithm_is_refused_at_import(hearth, address):
    message = refuse_import(hearth, address, {"hashAlgorithm": "ROT13"})
    assert message.startswith("INVALID_HASH_ALGORITHM : ") and "ROT13" in message
    assert "SCRYPT" in message
    assert "users" not in hearth.admin("/accounts:lookup", {"email": [address]})


@pytest.mark.parametrize(
    "algorithm", ["SCRYPT", "HMAC_SHA512", "HMAC_SHA256", "HMAC_SHA1", "HMAC_MD5"]
)
def test_a_keyed_algorithm_without_its_key_matches_nothing(hearth, address, algorithm):
    imported(
        hearth,
        {"hashAlgorithm": algorithm, "rounds": 8, "memoryCost": 14},
        {
            "localId": address,
            "email": address,
            "salt": standard(SALT),
            "passwordHash": standard(hmac.digest(b"", SALT + PASSWORD.encode(), "sha256")),
        },
    )
    assert refused(hearth, {"email": address, "password": PASSWORD}) == "INVALID_PASSWORD"


@pytest.mark.parametrize(
    "parameters, name",
    [
        ({"hashAlgorithm": "SCRYPT", "signerKey": "aa==", "rounds": 9, "memoryCost": 14}, "rounds"),
        (
            {"hashAlgorithm": "SCRYPT", "signerKey": "aa==", "rounds": 8, "memoryCost": 15},
            "memoryCost",
        ),
        ({"hashAlgorithm": "PBKDF_SHA1", "rounds": 120_001}, "rounds"),
        ({"hashAlgorithm": "PBKDF2_SHA256", "rounds": -1}, "rounds"),
        ({"hashAlgorithm": "SHA512", "rounds": 8193}, "rounds"),
        ({"hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1000}, "cpuMemCost"),
        ({"hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1 << 20, "blockSize": 8}, "cpuMemCost"),
        ({"hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1 << 16, "blockSize": 1}, "cpuMemCost"),
        ({"hashAlgorithm": "MD5", "rounds": 8193}, "rounds"),
    ],
)
def test_parameters_outside_the_published_ranges_are_refused(hearth, address, parameters, name):
    message = refuse_import(hearth, address, parameters)
    assert message.startswith(f"INVALID_HASH_PARAMETER : {name} "), message


def refuse_import(hearth, address, parameters) -> str:
    reply = hearth.post(
        f"{V1.removesuffix('accounts:')}projects/{PROJECT}/accounts:batchCreate",
        {
            **parameters,
            "users": [{"localId": address, "email": address, "passwordHash": standard(b"x" * 32)}],
        },
        Authorization="Bearer owner",
    )
    assert reply.status_code == 400, reply.text
    return reply.json()["error"]["message"]


class NoCredential(credentials.Base):
    def get_credential(self):
        return google.auth.credentials.AnonymousCredentials()


@pytest.fixture(scope="module")
def app(hearth):
    os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = hearth.host
    app = firebase_admin.initialize_app(
        NoCredential(), options={"projectId": PROJECT}, name=hearth.host + "-hashes"
    )
    yield app
    firebase_admin.delete_app(app)
    del os.environ["FIREBASE_AUTH_EMULATOR_HOST"]


# The Admin SDK names no order, so Hearth has to take either.
SALTED = [ordered(order, PASSWORD, SALT) for order in ORDERS]
ADMIN_CASES = (
    {
        "scrypt": (
            auth.UserImportHash.scrypt(KEY, 8, 14, SEPARATOR),
            firebase_scrypt_hash(PASSWORD, SALT, KEY),
        ),
        "scrypt-without-separator": (
            auth.UserImportHash.scrypt(KEY, 4, 8),
            firebase_scrypt.encrypt(
                KEY, firebase_scrypt.generate_derived_key(PASSWORD, SALT, b"", 4, 8)
            ),
        ),
        "standard_scrypt": (
            auth.UserImportHash.standard_scrypt(2048, 2, 4, 48),
            standard_scrypt(PASSWORD, SALT, 2048, 4, 2, 48),
        ),
        "bcrypt": (
            auth.UserImportHash.bcrypt(),
            bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)),
        ),
        "pbkdf_sha1": (
            auth.UserImportHash.pbkdf_sha1(500),
            hashlib.pbkdf2_hmac("sha1", PASSWORD.encode(), SALT, 500),
        ),
        "pbkdf2_sha256": (
            auth.UserImportHash.pbkdf2_sha256(500),
            passlib_pbkdf2(passlib.hash.pbkdf2_sha256, PASSWORD, SALT, 500),
        ),
    }
    | {
        f"hmac_{name}-{order}": (
            getattr(auth.UserImportHash, f"hmac_{name}")(KEY),
            hmac.digest(KEY, data, name),
        )
        for name in ("sha512", "sha256", "sha1", "md5")
        for order, data in zip(ORDERS, SALTED)
    }
    | {
        f"{name}-{order}": (getattr(auth.UserImportHash, name)(3), iterated(name, data, 3))
        for name in ("sha512", "sha256", "sha1", "md5")
        for order, data in zip(ORDERS, SALTED)
    }
)


@pytest.mark.parametrize("algorithm, hashed", ADMIN_CASES.values(), ids=ADMIN_CASES)
def test_the_admin_sdk_imports_a_hash_that_signs_in(hearth, app, address, algorithm, hashed):
    uid = secrets.token_hex(8)
    result = auth.import_users(
        [
            auth.ImportUserRecord(
                uid,
                email=address,
                password_hash=hashed,
                password_salt=SALT,
                display_name="Ann",
                email_verified=True,
                custom_claims={"role": "admin"},
            )
        ],
        hash_alg=algorithm,
        app=app,
    )
    assert (result.success_count, result.failure_count) == (1, 0)
    works_and_is_replaced(hearth, uid, address)
    user = auth.get_user(uid, app=app)
    assert (user.display_name, user.custom_claims) == ("Ann", {"role": "admin"})


def test_the_admin_sdk_hears_that_argon2_needs_parameters(app, address):
    record = auth.ImportUserRecord(address, email=address, password_hash=b"x")
    with pytest.raises(exceptions.InvalidArgumentError, match="ARGON2"):
        auth.import_users([record], hash_alg=auth.UserImportHash("ARGON2"), app=app)
