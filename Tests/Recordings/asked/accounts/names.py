"""The names that the recorded accounts have."""


def mail(name: str) -> str:
    return f"fireemu-aa-<run>-{name}@example.com"


def mixed_case(name: str) -> str:
    return f"FireEmu-AA-<run>-{name.capitalize()}@Example.com"


def uid(name: str) -> str:
    return f"aa-<run>-{name}"
