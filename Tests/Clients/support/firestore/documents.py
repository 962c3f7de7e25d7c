"""What tests of documents share."""


def stored(reference):
    return reference.get(timeout=30).to_dict()
