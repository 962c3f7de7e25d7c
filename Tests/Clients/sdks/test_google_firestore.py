"""The unmodified google-cloud-firestore for Python against the emulator."""

import datetime
import os
import threading
import uuid

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter, Or
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.vector import Vector
from support.server import PROJECT

UTC = datetime.UTC
TOWNS = {
    "oslo": {"name": "Oslo", "people": 700, "tags": ["north", "sea"], "land": {"code": "NO"}},
    "rome": {"name": "Rome", "people": 2800, "tags": ["south"], "land": {"code": "IT"}},
    "bergen": {"name": "Bergen", "people": 290, "tags": ["north", "rain"], "land": {"code": "NO"}},
    "bari": {"name": "Bari", "people": 320, "tags": ["south", "sea"], "land": {"code": "IT"}},
}


@pytest.fixture(scope="module")
def client(hearth):
    before = os.environ.get("FIRESTORE_EMULATOR_HOST")
    os.environ["FIRESTORE_EMULATOR_HOST"] = hearth.addresses["firestore"].removeprefix("http://")
    client = firestore.Client(project=PROJECT)
    yield client
    client.close()
    if before is None:
        del os.environ["FIRESTORE_EMULATOR_HOST"]
    else:
        os.environ["FIRESTORE_EMULATOR_HOST"] = before


@pytest.fixture
def box(client):
    """A collection that no other test uses."""
    return client.collection(f"box-{uuid.uuid4().hex[:12]}")


@pytest.fixture
def towns(client, box):
    batch = client.batch()
    for name, town in TOWNS.items():
        batch.set(box.document(name), town)
    batch.commit()
    return box


def ids(query):
    return [document.id for document in query.stream()]


def test_values_of_every_type_come_back(box):
    written = {
        "nothing": None,
        "yes": True,
        "whole": -(2**63),
        "real": 0.1,
        "text": "grüße 🙂",
        "bytes": b"\x00\xff",
        "time": datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
        "place": firestore.GeoPoint(59.9, -10.75),
        "list": [1, "two", {"three": [3]}],
        "map": {"a.b": {"c": []}},
        "vector": Vector([1.0, 2.5]),
        "other": box.document("other"),
    }
    box.document("all").set(written)
    found = box.document("all").get().to_dict()
    assert found.pop("other").path == box.document("other").path
    del written["other"]
    assert found == written


def test_a_document_is_created_once_changed_and_deleted(box):
    town = box.document("oslo")
    made = town.create({"name": "Oslo", "people": 1})
    with pytest.raises(exceptions.AlreadyExists):
        town.create({})
    town.update({"people": 2, "land.code": "NO"})
    snapshot = town.get()
    assert snapshot.to_dict() == {"name": "Oslo", "people": 2, "land": {"code": "NO"}}
    assert snapshot.update_time > made.update_time
    town.set({"people": 3, "land": {"name": "Norge"}}, merge=True)
    assert town.get().to_dict()["land"] == {"code": "NO", "name": "Norge"}
    town.set({"name": "Kristiania", "people": 4}, merge=["name"])
    assert town.get(["name", "people"]).to_dict() == {"name": "Kristiania", "people": 3}
    town.delete()
    assert not town.get().exists
    with pytest.raises(exceptions.NotFound):
        town.update({"people": 1})


def test_transforms_are_made_by_the_server(box):
    town = box.document("oslo")
    town.set({"people": 1, "tags": ["a", "b"], "gone": True})
    town.update(
        {
            "people": firestore.Increment(2.5),
            "tags": firestore.ArrayUnion(["b", "c"]),
            "gone": firestore.DELETE_FIELD,
            "at": firestore.SERVER_TIMESTAMP,
            "most": firestore.Maximum(7),
            "least": firestore.Minimum(-7),
        }
    )
    town.update({"tags": firestore.ArrayRemove(["a"])})
    found = town.get().to_dict()
    assert isinstance(found.pop("at"), datetime.datetime)
    assert found == {"people": 3.5, "tags": ["b", "c"], "most": 7, "least": -7}


def test_preconditions_hold(client, box):
    town = box.document("oslo")
    first = town.set({"n": 1})
    town.update({"n": 2}, client.write_option(last_update_time=town.get().update_time))
    with pytest.raises(exceptions.FailedPrecondition):
        town.update({"n": 3}, client.write_option(last_update_time=first.update_time))
    with pytest.raises(exceptions.FailedPrecondition):
        town.delete(client.write_option(last_update_time=first.update_time))
    assert town.get().to_dict() == {"n": 2}


def test_a_batch_is_written_as_a_whole(client, box):
    batch = client.batch()
    batch.set(box.document("a"), {"n": 1})
    batch.update(box.document("absent"), {"n": 1})
    with pytest.raises(exceptions.NotFound):
        batch.commit()
    assert ids(box) == []


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ([("people", "==", 290)], {"bergen"}),
        ([("people", "!=", 290)], {"oslo", "rome", "bari"}),
        ([("people", "<", 320)], {"bergen"}),
        ([("people", "<=", 320)], {"bergen", "bari"}),
        ([("people", ">", 700)], {"rome"}),
        ([("people", ">=", 700)], {"rome", "oslo"}),
        ([("tags", "array_contains", "sea")], {"oslo", "bari"}),
        ([("tags", "array_contains_any", ["rain", "south"])], {"bergen", "rome", "bari"}),
        ([("name", "in", ["Oslo", "Bari", "Nowhere"])], {"oslo", "bari"}),
        ([("name", "not-in", ["Oslo", "Bari"])], {"rome", "bergen"}),
        ([("land.code", "==", "NO"), ("people", ">", 300)], {"oslo"}),
    ],
)
def test_queries_filter(towns, filters, found):
    query = towns
    for each in filters:
        query = query.where(filter=FieldFilter(*each))
    assert set(ids(query)) == found


def test_queries_join_filters(towns):
    either = Or([FieldFilter("people", "<", 300), FieldFilter("name", "==", "Rome")])
    assert set(ids(towns.where(filter=either))) == {"bergen", "rome"}


def test_queries_order_limit_and_begin(towns):
    ordered = towns.order_by("people")
    assert ids(ordered) == ["bergen", "bari", "oslo", "rome"]
    assert ids(ordered.limit(2)) == ["bergen", "bari"]
    assert ids(ordered.offset(1).limit(2)) == ["bari", "oslo"]
    # This SDK turns the order of the query around that it is called on.
    assert [d.id for d in towns.order_by("people").limit_to_last(2).get()] == ["oslo", "rome"]
    assert ids(ordered.start_after({"people": 320})) == ["oslo", "rome"]
    assert ids(ordered.start_at(towns.document("oslo").get())) == ["oslo", "rome"]
    assert ids(ordered.end_before({"people": 700})) == ["bergen", "bari"]
    falling = towns.order_by("land.code").order_by("people", direction="DESCENDING")
    assert ids(falling) == ["rome", "bari", "oslo", "bergen"]
    chosen = list(towns.select(["name"]).order_by("name").stream())
    assert chosen[0].to_dict() == {"name": "Bari"}


def test_queries_see_missing_fields_and_types(box):
    for name, value in {"a": 1, "b": "1", "c": None, "d": float("nan"), "e": [1]}.items():
        box.document(name).set({"v": value})
    box.document("f").set({})
    assert ids(box.order_by("v")) == ["c", "d", "a", "b", "e"]
    assert ids(box.where(filter=FieldFilter("v", "==", None))) == ["c"]
    assert ids(box.where(filter=FieldFilter("v", "==", float("nan")))) == ["d"]


def test_aggregations_count_and_add(towns):
    def value(aggregation):
        return aggregation.get()[0][0].value

    assert value(towns.count()) == 4
    assert value(towns.where(filter=FieldFilter("people", ">", 300)).count()) == 3
    assert value(towns.sum("people")) == 4110
    assert value(towns.avg("people")) == 1027.5


def test_groups_of_collections_are_queried(client, box):
    name = "streets-" + uuid.uuid4().hex[:12]
    for town, street in (("oslo", "karl"), ("rome", "corso"), ("rome", "veneto")):
        box.document(town).collection(name).document(street).set({"long": street != "karl"})
    client.collection(name).document("top").set({"long": True})
    group = client.collection_group(name).where(filter=FieldFilter("long", "==", True))
    assert set(ids(group)) == {"corso", "veneto", "top"}
    assert [each.id for each in box.document("rome").collections()] == [name]
    assert {each.id for each in box.list_documents()} == {"oslo", "rome"}
    assert ids(box) == []


def test_documents_are_read_together(client, towns):
    asked = [towns.document(name) for name in ("rome", "absent", "oslo")]
    found = {each.id: each.exists for each in client.get_all(asked)}
    assert found == {"rome": True, "absent": False, "oslo": True}


def test_a_transaction_reads_and_writes(client, box):
    town = box.document("oslo")
    town.set({"n": 1})

    @firestore.transactional
    def add(transaction):
        n = town.get(transaction=transaction).to_dict()["n"]
        transaction.update(town, {"n": n + 1})
        return n

    assert add(client.transaction()) == 1
    assert town.get().to_dict() == {"n": 2}

    @firestore.transactional
    def fail(transaction):
        transaction.update(town, {"n": 99})
        raise ValueError("no")

    with pytest.raises(ValueError):
        fail(client.transaction())
    assert town.get().to_dict() == {"n": 2}


def test_transactions_that_meet_lose_nothing(client, box):
    town = box.document("oslo")
    town.set({"n": 0})

    @firestore.transactional
    def add(transaction):
        n = town.get(transaction=transaction).to_dict()["n"]
        transaction.update(town, {"n": n + 1})

    def work():
        for _ in range(3):
            add(client.transaction(max_attempts=20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert town.get().to_dict() == {"n": 12}


def test_a_listener_hears_of_changes(towns):
    heard, changed = [], threading.Event()

    def hear(documents, changes, _):
        heard.append(
            ([each.id for each in documents], [(c.type.name, c.document.id) for c in changes])
        )
        changed.set()

    watch = towns.where(filter=FieldFilter("land.code", "==", "NO")).on_snapshot(hear)
    try:
        assert changed.wait(30)
        assert set(heard[0][0]) == {"oslo", "bergen"}
        for write, told in (
            (lambda: towns.document("oslo").update({"people": 1}), ("MODIFIED", "oslo")),
            (lambda: towns.document("bergen").delete(), ("REMOVED", "bergen")),
            (lambda: towns.document("rome").update({"land.code": "NO"}), ("ADDED", "rome")),
        ):
            changed.clear()
            write()
            assert changed.wait(30)
            assert told in heard[-1][1]
    finally:
        watch.unsubscribe()


def test_nearest_neighbours_are_found(box):
    for name, vector in {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [0.8, 0.6]}.items():
        box.document(name).set({"v": Vector(vector)})
    near = box.find_nearest(
        vector_field="v",
        query_vector=Vector([1.0, 0.1]),
        distance_measure=DistanceMeasure.COSINE,
        limit=2,
        distance_result_field="far",
    )
    found = list(near.stream())
    assert [each.id for each in found] == ["a", "c"]
    assert found[0].get("far") < found[1].get("far")


def test_many_writes_go_in_bulk_and_trees_go_as_a_whole(client, box):
    writer = client.bulk_writer()
    for number in range(60):
        writer.set(box.document(f"d{number}"), {"n": number})
        writer.set(box.document(f"d{number}").collection("below").document("x"), {})
    writer.close()
    assert box.count().get()[0][0].value == 60
    assert client.recursive_delete(box) == 120
    assert list(box.list_documents()) == []


def test_what_is_malformed_is_refused(box):
    with pytest.raises(exceptions.InvalidArgument):
        box.document("a").set({"__name__x__": 1, "__reserved__": 1})
    with pytest.raises(exceptions.InvalidArgument):
        box.document("a").set({"v": "x" * (1 << 20)})
    with pytest.raises(exceptions.InvalidArgument):
        ids(box.where(filter=FieldFilter("a", ">", 1)).order_by("b").limit(-1))


def test_a_read_of_the_past_is_consistent(client, box):
    town = box.document("oslo")
    town.set({"n": 1})
    before = town.get().read_time
    town.set({"n": 2})
    assert town.get(read_time=before).to_dict() == {"n": 1}
    assert town.get().to_dict() == {"n": 2}
