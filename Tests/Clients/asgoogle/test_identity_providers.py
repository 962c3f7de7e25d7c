"""Identity providers under their own host names."""


def test_libraries_with_fixed_addresses(as_google):
    assert as_google.python("identity.py")["done"]
