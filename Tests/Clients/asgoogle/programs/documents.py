"""google-cloud-firestore with the credentials of the environment, over gRPC and REST."""

import threading

import requests
from common import (
    DOCUMENTS,
    PROJECT,
    account,
    assertion,
    clock,
    done,
    expired,
    foreign,
    grant,
    refused,
    sign_up,
    tampered,
)
from google.api_core import exceptions
from google.cloud import firestore
from google.oauth2.credentials import Credentials

database = firestore.Client()
assert database.project == PROJECT
cities = database.collection("cities")
cities.document("rome").set({"people": 2_800_000})
cities.document("bern").set({"people": 134_000})
assert [each.id for each in cities.order_by("people").stream()] == ["bern", "rome"]
assert cities.count().get()[0][0].value == 2


@firestore.transactional
def grow(transaction, document):
    people = document.get(transaction=transaction).get("people")
    transaction.update(document, {"people": people + 1})


grow(database.transaction(), cities.document("bern"))
heard = threading.Event()
watch = cities.document("bern").on_snapshot(
    lambda documents, *_: heard.set() if documents[0].get("people") == 134_001 else None
)
assert heard.wait(60)
watch.unsubscribe()


def status(token: str) -> int:
    return requests.get(
        f"{DOCUMENTS}/cities/bern", headers={"Authorization": f"Bearer {token}"}, timeout=30
    ).status_code


# Access tokens, and JWTs that the service account signed for itself.
access = grant(assertion(account())).json()["access_token"]
own = assertion(account(), aud="https://firestore.googleapis.com/")
assert (status(access), status(own)) == (200, 200)
for bad in (
    tampered(own),
    foreign(own),
    assertion(account(), age=7200, aud="https://firestore.googleapis.com/"),
    "ya29.somebody-elses",
    "owner",
):
    assert status(bad) == 401, bad
with clock("PT2H"):
    assert status(access) == 401

# ID tokens.
good = sign_up()["idToken"]
assert status(good) == 200
for bad in (tampered(good), foreign(good), expired()):
    assert status(bad) == 401
    client = firestore.Client(credentials=Credentials(bad), project=PROJECT)
    with refused(exceptions.Unauthenticated):
        client.document("cities/bern").get(retry=None, timeout=60)
done()
