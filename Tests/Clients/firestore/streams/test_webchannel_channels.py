"""WebChannel byte by byte: back channel, forward channel, close."""

import threading

import pytest
import requests
from support.firestore.project import base, guard  # noqa: F401
from support.firestore.webchannel import (
    Frames,
    Session,
    documents_target,
    is_snapshot,
    opened_writer,
)

ORIGIN = "http://localhost:5173"


# MARK: The back channel


def test_streaming_answer_has_no_length_and_goes_on(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    answer = session.get(ci=0)
    assert answer.status_code == 200 and "Content-Length" not in answer.headers
    stream = session.arrays(answer)
    seen = []
    for number, payload in stream:
        seen.append(number)
        if isinstance(payload[0], dict) and is_snapshot(payload[0]):
            break
    for n in range(3):
        base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": str(n)}}})
        for number, payload in stream:
            seen.append(number)
            if isinstance(payload[0], dict) and is_snapshot(payload[0]):
                break
    assert seen == list(range(1, len(seen) + 1))
    answer.close()


def test_first_streaming_answer_shows_bytes_at_once(base):
    """Else the browser takes the network for one that holds answers back."""
    session = Session(base, "Write", messages=[])
    answer = session.get(ci=0)
    assert next(session.arrays(answer)) == (1, ["noop"])
    answer.close()


def test_buffered_answer_ends_after_its_first_chunk(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    answer = session.get(ci=1)
    frames = Frames(answer.raw.stream(1 << 16, decode_content=False))
    assert frames.chunk() and frames.chunk() is None


@pytest.mark.parametrize("ci", [0, 1])
def test_patience_of_an_idle_answer_is_bounded_by_to(base, ci):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    answer = session.get(ci=ci, TO=200)
    number, payload = next(session.arrays(answer))
    assert (number, payload) == (session.last + 1, ["noop"])
    answer.close()


def test_what_was_not_acknowledged_comes_again(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    first = list(session.arrays(session.get(aid=0, ci=1)))
    assert [number for number, _ in first] == list(range(1, len(first) + 1))
    # The connection broke: the new GET has the old number.
    again = list(session.arrays(session.get(aid=0, ci=1)))
    assert again[: len(first)] == first
    rest = list(session.arrays(session.get(aid=1, ci=1)))
    assert rest[: len(first) - 1] == first[1:]


def test_acknowledgement_by_a_post_counts_too(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    arrays = list(session.arrays(session.get(aid=0, ci=1)))
    last = arrays[-1][0]
    session.last = last
    session.say(documents_target(base, "c/e", target=4))
    later = list(session.arrays(session.get(aid=0, ci=1)))
    assert all(number > last for number, _ in later), "acknowledged arrays come again"


def test_second_get_replaces_the_first(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    first = session.get(ci=0)
    ended = threading.Event()

    def drain():
        for _ in session.arrays(first):
            pass
        ended.set()

    threading.Thread(target=drain, daemon=True).start()
    second = session.get(ci=0)
    assert ended.wait(30), "the old GET still hangs"
    base.rest("PATCH", "/c/d", json={"fields": {}})
    assert any(
        "documentChange" in payload[0]
        for _, payload in [next(session.arrays(second))]
        if isinstance(payload[0], dict)
    )
    second.close()


# MARK: The forward channel


def test_report_describes_the_back_channel(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    is_open, last, on_the_way = session.say(documents_target(base, "c/e", target=4))
    assert is_open == 0 and isinstance(last, int) and isinstance(on_the_way, int)
    session.hear(
        lambda message: (
            message.get("targetChange", {}).get("targetIds") == [4]
            and message["targetChange"].get("targetChangeType") == "CURRENT"
        )
    )
    answer = session.get(ci=0)
    stream = session.arrays(answer)
    is_open, last, on_the_way = session.say()
    assert is_open == 1 and last >= session.last and on_the_way >= 0
    del stream
    answer.close()


def test_repeated_post_is_taken_once(base):
    session = Session(base, "Write", messages=[{"database": base.database}])
    token = session.hear(lambda message: "streamToken" in message)[-1]["streamToken"]
    write = {
        "streamToken": token,
        "writes": [
            {
                "update": {"name": base.name("c/d"), "fields": {}},
                "updateMask": {},
                "updateTransforms": [{"fieldPath": "n", "increment": {"integerValue": "1"}}],
            }
        ],
    }
    for _ in range(3):
        assert session.post(write, rid=session.rid + 1, ofs=1).status_code == 200
    session.ofs, session.rid = 2, session.rid + 1
    # One that overlaps brings only what is new.
    assert session.post(write, write, ofs=1).status_code == 200
    results = []
    while len(results) < 2:
        results += [
            message
            for message in session.hear(lambda m: "writeResults" in m)
            if "writeResults" in message
        ]
    assert base.rest("GET", "/c/d")["fields"] == {"n": {"integerValue": "2"}}


def test_a_gap_in_the_numbers_kills_the_session(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    assert session.post(documents_target(base, "c/e", target=4), ofs=5).status_code == 400
    assert session.get(ci=1).status_code == 400


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_unknown_session_is_named_in_the_status_text(base, method):
    session = Session(base, messages=[])
    session.id = "unknown"
    reply = session.post(documents_target(base, "c/d")) if method == "POST" else session.get()
    assert reply.status_code == 400 and reply.text.find("Unknown SID") > 0
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN


def test_session_of_one_service_is_unknown_to_the_other(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.url = session.url.replace("/Listen/", "/Write/")
    assert session.get(ci=1).status_code == 400


def test_a_thousand_messages_in_one_post(base):
    session = opened_writer(base)
    report = session.say(
        *[
            {
                "streamToken": session.token,
                "writes": [
                    {
                        "update": {"name": base.name("c/d"), "fields": {}},
                        "updateMask": {},
                        "updateTransforms": [
                            {"fieldPath": "n", "increment": {"integerValue": "1"}}
                        ],
                    }
                ],
            }
            for _ in range(1000)
        ]
    )
    assert len(report) == 3
    session.hear(
        lambda message: any(
            result["transformResults"] == [{"integerValue": "1000"}]
            for result in message.get("writeResults", [])
        )
    )
    assert base.rest("GET", "/c/d")["fields"] == {"n": {"integerValue": "1000"}}


def test_document_of_a_mebibyte(base):
    text = "ü" * 500_000
    writer = opened_writer(base)
    writer.say(
        {
            "streamToken": writer.token,
            "writes": [
                {"update": {"name": base.name("c/d"), "fields": {"text": {"stringValue": text}}}}
            ],
        }
    )
    writer.hear(lambda message: "writeResults" in message)
    session = Session(base, messages=[documents_target(base, "c/d")])
    [change] = [
        message["documentChange"]
        for message in session.hear(is_snapshot)
        if "documentChange" in message
    ]
    assert change["document"]["fields"] == {"text": {"stringValue": text}}


# MARK: Close


@pytest.mark.parametrize("how", ["empty body", "form", "beacon", "image"])
def test_terminated_session_is_gone(base, how):
    session = Session(base, messages=[documents_target(base, "c/d")])
    if how == "image":
        reply = requests.get(
            session.url,
            timeout=30,
            params=session.common
            | {"SID": session.id, "RID": session.rid + 1, "TYPE": "terminate"},
        )
    else:
        reply = session.terminate(
            **{"empty body": {}, "form": {"data": {"count": 0}}, "beacon": {"data": "\n"}}[how]
        )
    assert reply.status_code == 200
    assert session.post(documents_target(base, "c/e", target=4)).status_code == 400
    assert session.get(ci=1).status_code == 400


def test_terminate_ends_the_hanging_get(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    answer = session.get(ci=0)
    threading.Timer(0.2, session.terminate).start()
    for _ in session.arrays(answer):
        pass


def test_terminating_an_unknown_session_is_not_an_error(base):
    session = Session(base, messages=[])
    assert session.terminate().status_code == 200
    assert session.terminate().status_code == 200
