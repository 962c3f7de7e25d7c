"""The asynchronous client of google-cloud-firestore."""

import asyncio

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from support.firestore.project import base, guard  # noqa: F401

# MARK: The async client


def test_async_transactions(base):
    async def scenario():
        client = base.async_client()
        reference = client.document("c/counter")
        await reference.set({"n": 0}, timeout=30)

        @firestore.async_transactional
        async def body(transaction):
            snapshot = await reference.get(transaction=transaction, timeout=45)
            transaction.update(reference, {"n": snapshot.get("n") + 1})

        await asyncio.gather(*[body(client.transaction(max_attempts=50)) for _ in range(20)])
        n = (await reference.get(timeout=30)).get("n")

        @firestore.async_transactional
        async def failing(transaction):
            await reference.get(transaction=transaction)
            transaction.set(reference, {"n": -1})
            raise KeyError("mine")

        with pytest.raises(KeyError):
            await failing(client.transaction())
        assert (await reference.get(timeout=30)).get("n") == n

        @firestore.async_transactional
        async def reading(transaction):
            return (await reference.get(transaction=transaction)).get("n")

        assert await reading(client.transaction(read_only=True)) == n
        await client._transport.close()
        return n

    assert asyncio.run(asyncio.wait_for(scenario(), 150)) == 20


def test_async_client_reads_writes_and_queries(base):
    async def scenario():
        client = base.async_client()
        c = client.collection("c")
        await asyncio.gather(*[c.document(f"{n:02}").set({"n": n}, timeout=30) for n in range(50)])
        batch = client.batch()
        batch.delete(c.document("00"))
        batch.update(c.document("01"), {"n": firestore.Increment(100)})
        await batch.commit(timeout=30)
        got = [
            doc.id
            async for doc in c.where(filter=firestore.FieldFilter("n", ">", 40))
            .order_by("n", direction="DESCENDING")
            .limit(3)
            .stream(timeout=30)
        ]
        assert got == ["01", "49", "48"]
        assert (await c.count().get(timeout=30))[0][0].value == 49
        found = [
            snapshot.exists
            async for snapshot in client.get_all([c.document("00"), c.document("02")], timeout=30)
        ]
        assert sorted(found) == [False, True]
        assert [each.id async for each in client.collections()] == ["c"]
        with pytest.raises(exceptions.AlreadyExists):
            await c.document("02").create({}, timeout=30)
        await client._transport.close()

    asyncio.run(asyncio.wait_for(scenario(), 150))
