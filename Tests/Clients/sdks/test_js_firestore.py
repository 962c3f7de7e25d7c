"""Firestore over WebChannel from a page in Chromium."""

import pytest
import requests
from support.js_app import App, modular, new, page  # noqa: F401
from support.js_sdk import Failure
from support.steering import guard  # noqa: F401

PASSWORD = "secret1"


# MARK: Firestore
#
# No package of the index has this part of the SDK. The page speaks WebChannel in its place (see
# js_sdk_page.html), with the sign-in of the real one: what a browser lets through is real here.


class Database(App):
    def __init__(self, page, project, hearth):
        super().__init__(page, project)
        self.base = hearth.addresses["firestore"]
        self.name = f"projects/{project.id}/databases/(default)"
        self.documents = f"{self.name}/documents"
        self.run(
            "Object.assign(window, a[0])",
            {"base": self.base, "database": self.name, "documents": self.documents},
        )

    def write(self, path: str, **fields: int) -> None:
        values = {name: {"integerValue": str(value)} for name, value in fields.items()}
        reply = requests.patch(
            f"{self.base}/v1/{self.documents}/{path}",
            json={"fields": values},
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text

    def rules(self, condition: str) -> None:
        content = (
            "rules_version = '2';\nservice cloud.firestore {\n"
            "  match /databases/{database}/documents {\n"
            f"    match /{{path=**}} {{ allow read, write: if {condition}; }}\n  }}\n}}\n"
        )
        reply = requests.put(
            f"{self.base}{self.project.control}:securityRules",
            json={"rules": {"files": [{"name": "firestore.rules", "content": content}]}},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text

    def listen(self, options: dict | None = None) -> None:
        """A listener for all documents of `c`, in `listener`, when it has its first state."""
        self.run(
            """
            window.listener = await new Channel(base, "Listen", database, a[0]).open({
              database, addTarget: { targetId: 2, query: { parent: documents, structuredQuery: {
                from: [{ collectionId: "c" }],
                orderBy: [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }] } } } });
            await listener.current();
            """,
            options or {},
        )

    def heard(self, count: int) -> list:
        """What the documents of the changes so far say of `n`."""
        return self.run(
            """
            const changes = (messages) => messages.map((m) => m.documentChange).filter(Boolean);
            return await listener.until((messages) => changes(messages).length >= a[0] &&
              changes(messages).map(({ document }) => [
                document.name.split("/").pop(), document.fields.n.integerValue]));
            """,
            count,
        )


@pytest.fixture
def database(new, hearth) -> Database:
    return Database(new.page, new.project, hearth)


@pytest.mark.parametrize("options", [{}, {"poll": True}, {"fetched": True}])
def test_firestore_listens(database, options):
    database.write("c/a", n=1)
    database.listen(options)
    assert database.heard(1) == [["a", "1"]]
    for n in range(2, 6):
        database.write("c/a", n=n)
        assert database.heard(n)[-1] == ["a", str(n)]
    database.write("c/b", n=1)
    assert database.heard(6) == [["a", str(n)] for n in range(1, 6)] + [["b", "1"]]
    gets = database.run("return listener.gets")
    # One request hangs and brings all of it, unless the page asks again and again.
    assert gets > 5 if options.get("poll") else gets == 1


def test_firestore_a_broken_connection(database):
    """What was not acknowledged comes again, what happened meanwhile too, each once."""
    database.listen()
    database.write("c/a", n=1)
    database.write("c/a", n=2)
    first = database.heard(2)
    database.run("listener.request.abort()")
    database.write("c/a", n=3)
    database.run("listener.get()")
    assert database.heard(3) == [*first, ["a", "3"]]
    database.run("""
        listener.request.abort();
        Object.assign(listener, { last: listener.asked, messages: [] });
        listener.get();
        """)
    assert database.heard(1) == [["a", "3"]]


def test_firestore_listens_to_more_and_less(database):
    database.write("d/x", n=7)
    database.listen()
    assert database.run("""
        const answer = await listener.send(
          { database, addTarget: { targetId: 4, documents: { documents: [documents + "/d/x"] } } });
        const { documentChange: change } = await listener.until((messages) => messages.find(
          ({ documentChange }) => documentChange && documentChange.targetIds.includes(4)));
        await listener.send({ database, removeTarget: 4 });
        await listener.until((messages) => messages.some(({ targetChange }) => targetChange &&
          targetChange.targetChangeType === "REMOVE" && targetChange.targetIds.includes(4)));
        return [answer.length, answer[0], change.document.fields.n.integerValue];
        """) == [3, 1, "7"]


def test_firestore_writes_in_a_stream(database):
    database.listen()
    assert database.run("""
        window.writer = await new Channel(base, "Write", database).open({ database });
        const { streamToken } = await writer.until(([first]) => first);
        const name = documents + "/c/w";
        await writer.send({ streamToken, writes: [{
          update: { name, fields: { n: { integerValue: "1" } } },
          updateTransforms: [{ fieldPath: "at", setToServerValue: "REQUEST_TIME" }] }] });
        const [, made] = await writer.until((messages) => messages.length > 1 && messages);
        await writer.send(
          { streamToken: made.streamToken, writes: [{
            transform: { document: name, fieldTransforms: [
              { fieldPath: "n", increment: { integerValue: "41" } }] } }] },
          { streamToken: made.streamToken, writes: [{
            update: { name: documents + "/c/x", fields: { n: { integerValue: "1" } } } }] });
        const [, , grown] = await writer.until((messages) => messages.length > 3 && messages);
        return [!!made.commitTime, made.writeResults.length,
                grown.writeResults[0].transformResults[0].integerValue];
        """) == [True, 1, "42"]
    assert database.heard(3) == [["w", "1"], ["w", "42"], ["x", "1"]]


def test_firestore_a_write_that_cannot_be(database):
    error = database.run("""
        const writer = await new Channel(base, "Write", database).open({ database });
        const { streamToken } = await writer.until(([first]) => first);
        await writer.send({ streamToken, writes: [{
          update: { name: documents + "/c/none", fields: {} },
          updateMask: { fieldPaths: [] }, currentDocument: { exists: true } }] });
        return (await writer.until((messages) => messages.find((m) => m.error))).error;
        """)
    assert (error["status"], error["code"]) == ("NOT_FOUND", 404)


def test_firestore_rules_know_who_is_signed_in(database, address):
    database.write("c/a", n=1)
    database.rules("request.auth.token.email_verified == false && request.auth.uid != null")
    denied = """
        const listener = await new Channel(base, "Listen", database, { token: a[0] }).open({
          database, addTarget: { targetId: 2, documents: { documents: [documents + "/c/a"] } } });
        const { targetChange } = await listener.until((messages) => messages.find(
          ({ targetChange }) => targetChange && targetChange.targetChangeType === "REMOVE"));
        return targetChange;
        """
    change = database.run(denied)
    assert change["targetIds"] == [2] and change["cause"]["code"] == 7  # PERMISSION_DENIED
    written = database.run("""
        const writer = await new Channel(base, "Write", database).open({ database });
        const { streamToken } = await writer.until(([first]) => first);
        await writer.send({ streamToken, writes: [{ delete: documents + "/c/a" }] });
        return (await writer.until((messages) => messages.find((m) => m.error))).error;
        """)
    assert (written["status"], written["code"]) == ("PERMISSION_DENIED", 403)
    token = database.run(
        """
        const { user } = await fb.createUserWithEmailAndPassword(auth, a[0], a[1]);
        return await user.getIdToken();
        """,
        address,
        PASSWORD,
    )
    database.listen({"token": token})
    assert database.heard(1) == [["a", "1"]]


def test_firestore_a_page_that_leaves(database):
    """The beacon of a closed page ends the session, and the request that hangs with it."""
    database.listen()
    assert database.run("return listener.close()") is True
    assert (
        database.run("""
        for (let n = 0; n < 600 && listener.status === undefined; n++)
          await new Promise((resolve) => setTimeout(resolve, 50));
        return listener.status;
        """)
        == 200
    )
    with pytest.raises(Failure) as caught:
        database.run("await listener.send({ database, removeTarget: 2 })")
    assert caught.value.code == 400 and "Unknown SID" in str(caught.value)


def test_firestore_calls_with_a_preflight(database, address):
    """The calls of a transaction, a query and a count: JSON as text, and headers of their own."""
    database.rules("request.auth != null")
    call = """
        window.call = async (verb, body, token) => {
          const headers = {
            "Content-Type": "text/plain", "X-Goog-Api-Client": "gl-js/ fire/11.3.1",
            "X-Firebase-GMPID": "1:1:web:1", "google-cloud-resource-prefix": database,
            "x-goog-request-params": database };
          if (token) headers.Authorization = "Bearer " + token;
          const reply = await fetch(`${base}/v1/${documents}:${verb}`, {
            method: "POST", headers, body: JSON.stringify(body) });
          return await reply.json();
        };
        const { user } = await fb.createUserWithEmailAndPassword(auth, a[0], a[1]);
        window.token = await user.getIdToken();
        const name = documents + "/c/r";
        const [{ transaction }] = await call("batchGet", {
          documents: [name], newTransaction: { readWrite: {} } }, token);
        const { writeResults } = await call("commit", { transaction, writes: [
          { update: { name, fields: { n: { integerValue: "5" } } } }] }, token);
        const structuredQuery = { from: [{ collectionId: "c" }] };
        const [{ document }] = await call("runQuery", { structuredQuery }, token);
        const [{ result }] = await call("runAggregationQuery", { structuredAggregationQuery: {
          structuredQuery, aggregations: [{ alias: "count", count: {} }] } }, token);
        return [writeResults.length, document.fields.n.integerValue,
                result.aggregateFields.count.integerValue];
        """
    assert database.run(call, address, PASSWORD) == [1, "5", "1"]
    # The SDK takes an error as it is, and the first of a list.
    assert (
        database.run("""
        const refused = await call("runQuery", {
          structuredQuery: { from: [{ collectionId: "c" }] } });
        return (Array.isArray(refused) ? refused[0] : refused).error.status;
        """)
        == "PERMISSION_DENIED"
    )
