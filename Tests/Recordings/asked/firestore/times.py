"""Queries of earlier states."""

from ...steps import Instant, Program, Step
from .words import aggregate, ascending, ask, commit, count, divide, integer, query, total, write

ALL = query("qt", select=None)
FIRST, SECOND = (Instant(f"write-{i}", "commitTime") for i in (1, 2))


def at(name: str, time: object) -> Step:
    return ask(name, ALL, readTime=time)


def later(seconds: float, digits: int = 6) -> Instant:
    return Instant("write-1", "commitTime", seconds, digits)


SNAPSHOTS = [
    commit("write-1", write("qt/t1", {"n": integer(1)}), wait=7200),
    commit("write-2", write("qt/t1", {"n": integer(2)}), write("qt/t2", {"n": integer(20)})),
    ask("current", ALL),
    at("at-write-1", FIRST),
    at("at-write-2", SECOND),
    aggregate("count-at-write-1", ALL, count("c"), total("n", "s"), readTime=FIRST),
    aggregate("count-current", ALL, count("c"), total("n", "s")),
    divide(
        "partition-at-write-1",
        query("qt", None, ascending("__name__"), group=True, select=None),
        partitionCount=2,
        readTime=FIRST,
    ),
    at("one-microsecond-before-write-1", later(-0.000001)),
    at("nanosecond-after-write-1", later(0, 9)),
    at("59-minutes-before-write-1", later(-59 * 60)),
    at("61-minutes-before-write-1", later(-61 * 60)),
    at("future", later(3600)),
    at("distant-past", "2000-01-01T00:00:00Z"),
    at("not-a-time", "yesterday"),
    aggregate("aggregation-future", ALL, count("c"), readTime=later(3600)),
]
# The recorded database is older than the reads.
PROGRAMS = {"fs-query-index/read-time/snapshots": Program(SNAPSHOTS, documents={"other/o": {}})}
