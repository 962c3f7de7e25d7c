"""Where Hearth answers otherwise on purpose. A row explains a difference, or none is explained."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from .transport import Answer, Request

TIMES = re.compile(r'"20[2-9]\d-\d\d-\d\dT[^"]*Z"')


@dataclass(frozen=True)
class Row:
    name: str
    applies: Callable[[Request, Answer, Answer], bool]
    reason: str


def no_answer(request: Request, official: Answer, hearth: Answer) -> bool:
    return official.status == "NO_ANSWER" and hearth.status != "NO_ANSWER"


def unknown_fault(request: Request, official: Answer, hearth: Answer) -> bool:
    return official.status == "UNKNOWN" and hearth.status not in (
        "UNKNOWN",
        "INTERNAL",
        "NO_ANSWER",
    )


def partition_query(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.rpc == "PartitionQuery"
        and official.status == "UNIMPLEMENTED"
        and hearth.status == "OK"
    )


def other_database(request: Request, official: Answer, hearth: Answer) -> bool:
    answered = hearth.message if hearth.status == "INVALID_ARGUMENT" else json.dumps(hearth.body)
    return official.status == "OK" and "was attempting to access database" in answered


def streams_over_rest(request: Request, official: Answer, hearth: Answer) -> bool:
    path = request.body.get("path", "")
    return path.endswith((":listen", ":write")) and official.http == 404 and hearth.http == 501


def wrong_method(request: Request, official: Answer, hearth: Answer) -> bool:
    return request.rpc.endswith(" REST") and official.http == 404 and hearth.http == 405


def time_in_url(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.transport == "rest"
        and request.rpc in ("GetDocument", "ListDocuments")
        and "readTime" in request.body
        and official.message == "Only timestamps past epoch are supported."
    )


def missing_at_a_time(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.rpc == "ListDocuments"
        and bool(request.body.get("showMissing"))
        and official.status == "OK"
        and hearth.message.startswith("The requested 'read_time' ")
    )


def nested_array_union(request: Request, official: Answer, hearth: Answer) -> bool:
    return refused_write(
        request,
        official,
        hearth,
        "array value in an array value",
        '"appendMissingElements"',
        '"removeAllFromArray"',
    )


def name_transform(request: Request, official: Answer, hearth: Answer) -> bool:
    return refused_write(
        request, official, hearth, "__name__", '"fieldPath": "__name__"', '.__name__"'
    )


def deep_transform(request: Request, official: Answer, hearth: Answer) -> bool:
    return any(
        refused_write(request, official, hearth, text, '"fieldPath": "')
        for text in (
            "deeper than 20",
            "invalid nested entity",
            "at most 20 elements",
            "property path",
            "property.name",
            "longer than",
        )
    )


def removed_depth(request: Request, official: Answer, hearth: Answer) -> bool:
    writes = request.body.get("writes") or []
    return (
        len(writes) > 1
        and any("delete" in write for write in writes)
        and official.status == "OK"
        and hearth.status == "INVALID_ARGUMENT"
        and "invalid nested entity" in hearth.message
    )


def refused_write(
    request: Request, official: Answer, hearth: Answer, text: str, *sent: str
) -> bool:
    """Whether Hearth alone refuses a write that holds one of these."""
    refused = hearth.status == "INVALID_ARGUMENT" and text in hearth.message
    if request.rpc == "BatchWrite" and hearth.status == "OK":
        refused = text in json.dumps(hearth.body)
    body = json.dumps(request.body)
    # The official server may find another fault, where it does not see this one.
    return (
        request.rpc in ("Commit", "BatchWrite", "Write")
        and refused
        and official.status in ("OK", "FAILED_PRECONDITION", "NOT_FOUND", "ALREADY_EXISTS")
        and any(each in body for each in sent)
    )


def unproved(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        official.status == "OK"
        and hearth.status == "PERMISSION_DENIED"
        and "not true of all documents of the query" in hearth.message
        and re.search(r"\.get\(|keys\(\)|size\(\)|in resource\.data\b| is int\b", request.remark)
        is not None
    )


def project_rules(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.rpc == "GetDocument"
        and "/databases/(default)/" not in request.body.get("name", "")
        and request.token is None
        and official.status in ("OK", "NOT_FOUND")
        and hearth.status == "PERMISSION_DENIED"
    )


def explained(request: Request, official: Answer, hearth: Answer) -> bool:
    """All but the metrics is the same; without `analyze` they are all there is."""
    options = request.body.get("explainOptions")
    if options is None or (official.status, hearth.status) != ("OK", "OK"):
        return False
    metrics = [part for part in hearth.body if "explainMetrics" in part]
    rest = [{k: v for k, v in part.items() if k != "explainMetrics"} for part in hearth.body]
    if not options.get("analyze"):
        return len(metrics) == 1 and rest == [{}]
    from .compare import Normal, written  # which asks the rows

    bodies = {written(Normal(request).of(body), False) for body in (official.body, rest)}
    return len(metrics) == 1 and len(bodies) == 1


def index_usage(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        ":indexUsage" in request.body.get("path", "")
        and official.status == hearth.status == "OK"
        and not (hearth.body or {}).get("reports")
    )


def databases(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        re.fullmatch(r"/v1/projects/[^/]+/databases(/[^/:]+)?", request.body.get("path", ""))
        is not None
        and official.http == 404
        and "name" in json.dumps(hearth.body)
    )


def rounded_sum(request: Request, official: Answer, hearth: Answer) -> bool:
    """The collection `sums` holds numbers of very different sizes; elsewhere the last digits differ."""
    query = request.body.get("structuredAggregationQuery", {}).get("structuredQuery", {})
    if not (
        query
        and official.status == hearth.status == "OK"
        and '"doubleValue"' in json.dumps(hearth.body)
    ):
        return False
    return query.get("from") == [{"collectionId": "sums"}] or all(
        there == here or are_neighbours(there.get("doubleValue"), here.get("doubleValue"))
        for there, here in zip(aggregates(official), aggregates(hearth), strict=True)
    )


def aggregates(answer: Answer) -> list[dict]:
    fields = answer.body[0]["result"]["aggregateFields"]
    return [fields[name] for name in sorted(fields)]


def are_neighbours(one, other) -> bool:
    """Whether two doubles are at most two steps apart."""
    return (
        isinstance(one, int | float)
        and isinstance(other, int | float)
        and abs(one - other) <= 2 * math.ulp(max(abs(one), abs(other)))
    )


def broken_stream(request: Request, official: Answer, hearth: Answer) -> bool:
    return request.rpc == "Listen" and official.status == "STREAM" and hearth.status == "OK"


def lenient_json(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.rpc.endswith(" REST")
        and official.status == "OK"
        and hearth.status == "INVALID_ARGUMENT"
        and hearth.message.startswith(("Invalid JSON payload", "Invalid value at"))
    )


def masked_missing(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.rpc == "ListDocuments"
        and bool(request.body.get("showMissing"))
        and "mask" in request.body
        and official.status == hearth.status == "OK"
        and names(official) == names(hearth)
    )


def times_of_missing(request: Request, official: Answer, hearth: Answer) -> bool:
    def present(answer: Answer) -> list:
        return [
            (each["name"], sorted(each.get("fields", {})))
            for each in answer.body.get("documents", [])
            if "createTime" in each
        ]

    return (
        request.rpc == "ListDocuments"
        and bool(request.body.get("showMissing"))
        and official.status == hearth.status == "OK"
        and names(official) == names(hearth)
        and present(official) == present(hearth)
        and any(
            "updateTime" in each and "createTime" not in each
            for each in official.body.get("documents", [])
        )
    )


def two_faults(request: Request, official: Answer, hearth: Answer) -> bool:
    is_late = (
        official.status == "PERMISSION_DENIED"
        or "readTime" in request.body
        and official.message.startswith("The requested 'read_time' ")
    )
    return (
        is_late
        and request.rpc in ("RunQuery", "RunAggregationQuery", "ListDocuments")
        and hearth.status in ("INVALID_ARGUMENT", "FAILED_PRECONDITION")
    )


def verified_missing(request: Request, official: Answer, hearth: Answer) -> bool:
    def timeless(answer: Answer) -> str:
        return TIMES.sub('"time"', json.dumps(answer.body, sort_keys=True))

    sent = json.dumps(request.body)
    return (
        request.rpc in ("Commit", "BatchWrite", "Write")
        and official.status == hearth.status == "OK"
        and '"verify"' in sent
        and '"exists": false' in sent
        and timeless(official) == timeless(hearth)
    )


def names(listed: Answer) -> list[str]:
    return [each["name"] for each in listed.body.get("documents", [])]


def same_millisecond(request: Request, official: Answer, hearth: Answer) -> bool:
    def timeless(answer: Answer) -> str:
        text = re.sub('"streamToken": "[^"]*"', '"token"', json.dumps(answer.body, sort_keys=True))
        return TIMES.sub('"time"', text)

    return (
        '"REQUEST_TIME"' in json.dumps(request.body)
        and official.status == hearth.status == "OK"
        and timeless(official) == timeless(hearth)
    )


def judged_late(request: Request, official: Answer, hearth: Answer) -> bool:
    # What get() saw is in `acl`.
    if request.rpc != "Listen" or not (
        request.remark.startswith("rules ") or "/documents/acl/" in request.remark
    ):
        return False
    views = [(official.body[target], hearth.body.get(target)) for target in official.body or {}]
    return (
        official.status == hearth.status == "OK"
        and any(here == "ended with 7" and there != here for there, here in views)
        and all(here == "ended with 7" or shown(there) == shown(here) for there, here in views)
    )


def deaf_group(request: Request, official: Answer, hearth: Answer) -> bool:
    if request.rpc != "Listen" or not official.status == hearth.status == "OK":
        return False
    deaf = {
        target
        for target, body in request.body["targets"].items()
        if body.get("query", {}).get("structuredQuery", {}).get("from")
        == [{"allDescendants": True}]
    }

    def others(answer: Answer) -> str:
        views = {target: view for target, view in answer.body.items() if target not in deaf}
        return TIMES.sub('""', json.dumps(views, sort_keys=True))

    return bool(deaf) and others(official) == others(hearth)


def shown(view) -> str:
    return TIMES.sub('""', json.dumps(view))


def old_version(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.body.get("path", "").startswith("/v1beta1/")
        and official.http == 200
        and hearth.http == 404
    )


def encoded_slash(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        "%2F" in request.body.get("path", "")
        and official.http == 200
        and hearth.status == "INVALID_ARGUMENT"
        and ('contains "/"' in hearth.message or 'lacks "/"' in hearth.message)
    )


def contradicting_names(request: Request, official: Answer, hearth: Answer) -> bool:
    """The query finds nothing: no document has all of the names, or it is of another collection."""
    return (
        request.rpc in ("RunQuery", "RunAggregationQuery")
        and official.status == "PERMISSION_DENIED"
        and hearth.status == "OK"
        and json.dumps(request.body).count('"__name__"') > 1
        and not any("document" in each for each in hearth.body)
    )


def cut_cursor(request: Request, official: Answer, hearth: Answer) -> bool:
    return official.message == "the cursor value is too large" and hearth.status == "OK"


def star_segment(request: Request, official: Answer, hearth: Answer) -> bool:
    return (
        request.rpc == "PutRules"
        and official.status == "OK"
        and "/*/" in json.dumps(request.body)
        and "this comment is never closed" in hearth.message
    )


def after_by_name(request: Request, official: Answer, hearth: Answer) -> bool:
    body = json.dumps(request.body)
    return (
        request.rpc in ("RunQuery", "RunAggregationQuery", "Listen")
        and re.search("(get|exists)After", request.remark)
        and '"__name__"' in body
        and ('"EQUAL"' in body or '"IN"' in body)
        and official.status == "PERMISSION_DENIED"
        and "evaluation error" in official.message
        and hearth.status == "OK"
    )


ROWS = [
    Row(
        "no-answer",
        no_answer,
        "The official server never answers REST with a parameter or member that it cannot read.",
    ),
    Row(
        "unknown-fault",
        unknown_fault,
        "The official server ends with UNKNOWN and no text; Hearth answers, or says what is wrong.",
    ),
    Row("partition-query", partition_query, "The official server does not have PartitionQuery."),
    Row(
        "other-database",
        other_database,
        "One call is about one database, as in production; the official server takes documents of any.",
    ),
    Row(
        "streams-over-rest",
        streams_over_rest,
        "Neither has Listen and Write over plain REST; Hearth answers 501, which is what it means.",
    ),
    Row("wrong-method", wrong_method, "A path that exists with another method is 405, not 404."),
    Row("time-in-url", time_in_url, "The official server reads a time in an URL as 0."),
    Row(
        "missing-at-a-time",
        missing_at_a_time,
        "The official server takes any time, also a future one, in a listing with missing documents.",
    ),
    Row(
        "nested-array-union",
        nested_array_union,
        "An array in an array is refused in a transform too, as in production.",
    ),
    Row("name-transform", name_transform, "__name__ cannot be transformed, as in production."),
    Row(
        "deep-transform",
        deep_transform,
        "A transform has production's limits of paths and depth too.",
    ),
    Row(
        "removed-depth",
        removed_depth,
        "A map that is too deep is refused also where the same commit deletes its document; the official server "
        "looks at what is left.",
    ),
    Row(
        "unproved",
        unproved,
        "The official server takes what a query does not name for absent, so a default lets it through.",
    ),
    Row(
        "project-rules",
        project_rules,
        "Rules of a project or of its (default) database hold for all databases without rules of their own; the "
        "official server leaves these open.",
    ),
    Row("explain", explained, "The official server ignores explainOptions."),
    Row(
        "index-usage",
        index_usage,
        "Hearth reports the use of indexes only while the switch `indexes` is on; it is off by default.",
    ),
    Row("databases", databases, "The official server does not have the Admin API of databases."),
    Row("rounded-sum", rounded_sum, "Sums have no rounding; the official server's have some."),
    Row(
        "broken-stream",
        broken_stream,
        "A commit that meets the first answer of a target can break the official server's stream.",
    ),
    Row(
        "lenient-json",
        lenient_json,
        "Hearth reads JSON as the standard has it; the official server takes single quotes and wrong types, and counts "
        "on from times that do not exist.",
    ),
    Row(
        "masked-missing",
        masked_missing,
        "A mask is for listings with missing documents too, as documented; the official server ignores it there.",
    ),
    Row(
        "times-of-missing",
        times_of_missing,
        "A missing document has a name and no times, as documented; the official server gives one that was deleted "
        "the time of that.",
    ),
    Row(
        "two-faults",
        two_faults,
        "Of a query that is wrong and reads what or when it may not, the official server names the second, Hearth "
        "the first.",
    ),
    Row(
        "verified-missing",
        verified_missing,
        "A document that is verified to be missing has the time of the commit; the official server gives the time "
        "of its deletion, or of the commit before.",
    ),
    Row(
        "same-millisecond",
        same_millisecond,
        "A server timestamp that is the one before leaves a document as it is; whether two commits share a "
        "millisecond is chance.",
    ),
    Row(
        "judged-late",
        judged_late,
        "Listeners are judged again as soon as rules change, or a document that rules looked up; on the official "
        "server at the next change of a document that is listened to.",
    ),
    Row(
        "deaf-group",
        deaf_group,
        "A listener on the documents of all collections hears of changes; on the official server it has the first "
        "view for ever.",
    ),
    Row("old-version", old_version, "Only v1 is served; no client library asks for v1beta1."),
    Row(
        "encoded-slash",
        encoded_slash,
        "%2F is not a separator of a collection and an id: the name is refused.",
    ),
    Row(
        "after-by-name",
        after_by_name,
        "In a query for given names getAfter() and existsAfter() fail on the official server, though get() does not.",
    ),
    Row(
        "contradicting-names",
        contradicting_names,
        "A query for several names that no document of its collection has finds nothing; under rules the official "
        "server refuses some of them.",
    ),
    Row(
        "cut-cursor",
        cut_cursor,
        "A cursor may be an array of any size; the official server refuses some that it would cut at 1500 bytes.",
    ),
    Row(
        "star-segment",
        star_segment,
        "`/*` begins a comment in rules everywhere, also within a path.",
    ),
]
