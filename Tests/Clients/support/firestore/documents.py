"""What tests of documents share."""


def stored(reference):
    return reference.get(timeout=15).to_dict()
