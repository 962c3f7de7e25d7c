"""What the console, the log and the tools of agents say of a refusal, in one sentence."""

import json

import pytest
import requests
from support.console import browser, console, console_url  # noqa: F401

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function isOwner() { return resource.data.owner == request.auth.uid; }
    match /%s/{id} { allow read: if %s; }
  }
}
"""


def refused(console, collection, condition):
    """The log's entry of a signed-in user's read that the condition refuses."""
    rules = RULES % (collection, condition)
    body = {"rules": {"files": [{"name": "firestore.rules", "content": rules}]}}
    console.call("PUT", f"/emulator/v1/projects/{console.project}:securityRules", body)
    path = f"/v1/projects/{console.project}/databases/(default)/documents/{collection}/a"
    console.call("PATCH", path, {"fields": {"owner": {"stringValue": "bob"}}})
    user = console.client("signUp", {"returnSecureToken": True})
    token = {"Authorization": f"Bearer {user['idToken']}"}
    reply = requests.get(console.origin + path, headers=token, timeout=30)
    assert reply.status_code == 403
    entry = [one for one in console.own("GET", "requests")["requests"] if one["status"] == 403][-1]
    return entry, user["localId"]


def test_a_count_lists_the_requests_that_evaluated_the_line(console):
    entry, uid = refused(console, "posts", "isOwner()")
    path = f"/v1/projects/{console.project}/databases/(default)/documents/posts/b"
    assert requests.get(console.origin + path, timeout=30).status_code == 403
    last = console.own("GET", "requests")["requests"][-1]["id"]
    console.open("rules")
    lines = "[aria-label='Requests of a line']"
    console.sees("×2", ".gutter")
    console.click(
        lambda: console.run(
            "return [...document.querySelectorAll('.gutter li')][4].querySelector('.count')"
        )
    )
    console.sees("Line 5: 2 requests", lines)
    rows = [row.text for row in console.all(f"{lines} tbody tr")]
    assert str(last) in rows[0] and "posts/b" in rows[0] and "403" in rows[0]
    assert str(entry["id"]) in rows[1] and "posts/a" in rows[1]
    # The same for those who use the keyboard, for the line of the cursor.
    console.run(
        "const text = document.querySelector('textarea[aria-label=Rules]');"
        "const at = text.value.indexOf('function'); text.setSelectionRange(at, at)"
    )
    console.button("Requests of this line")
    console.sees("Line 4: 2 requests", lines)
    # Counts that begin again have no requests.
    console.button("Reset coverage")
    console.says("The counts begin at zero.")
    console.button("Requests of this line")
    console.sees("Line 4: 0 requests", lines)
    console.button("Close the requests of the line")
    console.until(lambda: not console.find(lines).is_displayed())


@pytest.mark.parametrize(
    "condition, because",
    [
        (
            "resource.data.owner == request.auth.uid",
            '`resource.data.owner` is "bob", `request.auth.uid` is "UID"',
        ),
        (
            "request.auth != null && isOwner()",
            '`resource.data.owner` is "bob", `request.auth.uid` is "UID"',
        ),
        ("request.auth == null", ", and `request.auth == null` is wanted"),
        (
            "resource.data.owner == 'ann' || false",
            "`resource.data.owner` is \"bob\", and `resource.data.owner == 'ann'` is wanted",
        ),
        ("resource.data.public", "`resource.data.public`: "),
        ("'a' in ['b']", "`'a' in ['b']`"),
    ],
)
def test_a_refusal_is_one_sentence_with_the_guilty_values(console, condition, because):
    entry, uid = refused(console, "posts", condition)
    assert because.replace("UID", uid) in entry["rule"]["because"]


def test_the_sentence_is_on_top_and_the_tree_is_folded_to_it(console):
    entry, uid = refused(console, "posts", "request.auth != null && isOwner()")
    sentence = f'`resource.data.owner` is "bob", `request.auth.uid` is "{uid}"'
    console.open(f"requests/{entry['id']}")
    console.sees(sentence.replace("`", ""), ".whole .because")
    marked = console.until(lambda: console.find(".whole .tree mark"))
    assert marked.text == "resource.data.owner == request.auth.uid"
    reply = console.call(
        "POST",
        "/mcp",
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "explain_denial", "arguments": {"project": console.project}},
        },
    )
    assert json.loads(reply["result"]["content"][0]["text"])["why"] == sentence


def test_a_refusal_is_tried_as_another_user(console):
    entry, uid = refused(console, "posts", "resource.data.owner == request.auth.uid")
    console.open(f"requests/{entry['id']}")
    console.click(lambda: console.browser.find_element("link text", "Try as another user"))
    console.until(lambda: console.labelled("Uid").get_attribute("value") == uid)
    console.button("Evaluate")
    console.sees("denied", ".verdict")
    console.type("Uid", "bob")
    console.button("Evaluate")
    console.sees("allowed", ".verdict")


def test_a_query_is_listed_with_its_collection(console):
    query = {"structuredQuery": {"from": [{"collectionId": "orders"}]}}
    root = f"/v1/projects/{console.project}/databases/(default)/documents"
    requests.post(f"{console.origin}{root}:runQuery", json=query, timeout=30)
    requests.post(f"{console.origin}{root}/users/ann:runQuery", json=query, timeout=30)
    console.open("requests")
    console.until(
        lambda: (
            [cell.text for cell in console.all("tbody .mono")]
            == ["POST users/ann/orders", "POST orders"]
        )
    )


def test_callers_are_told_in_words_with_the_name_of_the_log(console):
    documents = f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/a/b"
    requests.get(documents, timeout=30)
    requests.get(documents, headers={"Authorization": "Bearer owner"}, timeout=30)
    console.client("signUp", {})
    console.open("requests")
    console.until(lambda: console.texts("tbody td:nth-child(5)") == ["App", "Admin", "Signed out"])
    names = [one.get_attribute("title") for one in console.all("tbody td:nth-child(5) div")]
    assert names == ["apiKey", "owner", "anonymous"]
    # Both are found.
    for words in ("signed out", "anonymous"):
        console.type("Filter", words)
        console.until(lambda: console.texts("tbody td:nth-child(5)") == ["Signed out"])
