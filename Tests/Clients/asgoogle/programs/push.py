"""Cloud Messaging with the Admin SDK, as on a server."""

import asyncio
import datetime

import firebase_admin
import requests
from common import CONTROL, done, refused
from firebase_admin import exceptions, messaging

firebase_admin.initialize_app()


def register(**device) -> str:
    reply = requests.post(f"{CONTROL}/devices", json=device, timeout=30)
    assert reply.ok, reply.text
    return reply.json()["token"]


def latest(to: str) -> dict:
    reply = requests.get(f"{CONTROL}/messages/latest", params={"to": to, "wait": "10s"}, timeout=30)
    assert reply.ok, reply.text
    return reply.json()


phone = register(platform="ios", name="Ann's phone")
name = messaging.send(
    messaging.Message(
        token=phone,
        notification=messaging.Notification(title="Order", body="It is on its way."),
        data={"order": "12"},
        android=messaging.AndroidConfig(
            ttl=datetime.timedelta(seconds=3600),
            priority="high",
            notification=messaging.AndroidNotification(
                color="#ff8800",
                light_settings=messaging.LightSettings(
                    color="#ff8800aa", light_on_duration_millis=100, light_off_duration_millis=50
                ),
                event_timestamp=datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC),
                vibrate_timings_millis=[100, 200],
                visibility="secret",
                priority="max",
                body_loc_key="SENT",
                body_loc_args=["12"],
            ),
        ),
        apns=messaging.APNSConfig(
            payload=messaging.APNSPayload(
                messaging.Aps(badge=3, sound=messaging.CriticalSound("a", critical=True))
            )
        ),
        webpush=messaging.WebpushConfig(
            fcm_options=messaging.WebpushFCMOptions(link="https://acme.example/orders/12")
        ),
        fcm_options=messaging.FCMOptions(analytics_label="orders"),
    )
)
assert name.startswith("projects/"), name
push = latest(phone)
assert (push["type"], push["source"], push["subject"]) == ("PUSH", "fcm", "Order"), push
assert push["push"]["devices"][0]["name"] == "Ann's phone", push
assert push["payload"]["apns"]["payload"]["aps"]["alert"]["body"] == "It is on its way."
assert push["payload"]["apns"]["payload"]["order"] == "12"
assert push["link"] == "https://acme.example/orders/12"

# A dry run is checked and not kept.
assert messaging.send(messaging.Message(topic="nobody"), dry_run=True).startswith("projects/")
assert not requests.get(f"{CONTROL}/messages", params={"to": "topic:nobody"}, timeout=30).json()[
    "messages"
]

# What devices answer.
for state, error in [
    ("unregistered", messaging.UnregisteredError),
    ("senderIdMismatch", messaging.SenderIdMismatchError),
    ("quotaExceeded", messaging.QuotaExceededError),
    ("thirdPartyAuthError", messaging.ThirdPartyAuthError),
    ("invalidArgument", exceptions.InvalidArgumentError),
]:
    with refused(error):
        messaging.send(messaging.Message(token=register(state=state)))

# Many at once.
gone = register(state="unregistered")
batch = [messaging.Message(token=phone), messaging.Message(token=gone)]
batch += [messaging.Message(token=f"token-{number}") for number in range(98)]
answers = messaging.send_each(batch)
assert (answers.success_count, answers.failure_count) == (99, 1)
assert isinstance(answers.responses[1].exception, messaging.UnregisteredError)
answers = asyncio.run(messaging.send_each_async(batch))
assert (answers.success_count, answers.failure_count) == (99, 1)

# Topics, at both addresses.
subscribed = messaging.subscribe_to_topic([phone, gone], "news")
assert (subscribed.success_count, subscribed.failure_count) == (1, 1), subscribed.errors
messaging.send(messaging.Message(topic="news"))
assert latest("topic:news")["push"]["deviceCount"] == 1
condition = "'news' in topics && !('sports' in topics)"
messaging.send(messaging.Message(condition=condition))
assert latest(condition)["push"]["deviceCount"] == 1
if hasattr(messaging, "subscribe_to_topic_legacy"):
    assert messaging.subscribe_to_topic_legacy([phone], "sports").success_count == 1
    messaging.send(messaging.Message(condition=condition, data={"after": "1"}))
    assert latest(condition)["push"]["deviceCount"] == 0
assert messaging.unsubscribe_from_topic([phone], "news").success_count == 1

# The older ways to send are gone, as they are at Google.
for path in ("batch", "fcm/send"):
    reply = requests.post(f"https://fcm.googleapis.com/{path}", json={}, timeout=30)
    assert reply.status_code == 404 and "html" in reply.headers["content-type"], reply.text
done()
