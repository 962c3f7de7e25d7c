"""The everyday tasks of the guide's table from 21 on. Those of tables, histories and triggers are in
`test_many` and `test_timeline`, with the same numbers."""

import smtplib
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
import requests
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.console import Console, browser, console, reset_mail  # noqa: F401
from support.server import Server


@pytest.fixture(scope="module")
def server():
    server = Server("--smtp-port", "0")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def console_url(server):
    return server.addresses["console"] + "/console/"


def put(console, path, fields):
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/{path}",
        {"fields": fields},
    )


def text(value):
    return {"stringValue": value}


def array(*values):
    return {"arrayValue": {"values": list(values)}}


@pytest.fixture
def mail(console, server):
    """Sends a mail with a picture and a text of its own."""
    message = EmailMessage()
    message["From"], message["To"] = "shop@example.com", "ann@example.com"
    message["Subject"] = "Your order"
    message.set_content("Thank you.")
    message.add_alternative("<p style='max-width: 10px'>Thank you.</p>", subtype="html")
    message.add_attachment(PICTURE, maintype="image", subtype="png", filename="dot.png")
    message.add_attachment("one,two\n1,2\n", subtype="csv", filename="order.csv")
    address = urlsplit("smtp://" + server.addresses["smtp"].removeprefix("smtp://"))
    with smtplib.SMTP(address.hostname, address.port) as client:
        client.login(console.project, "x")
        client.send_message(message)
    return console.own("GET", "messages")["messages"][-1]


PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def test_21_see_a_code_as_soon_as_it_was_asked_for(console):
    console.open("mailbox").caught_up()
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    code = console.until(lambda: console.text(".newest code.big"))
    assert code == console.own("GET", "messages")["messages"][-1]["code"]


def test_22_copy_a_uid(console):
    console.admin("", {"localId": "uid-of-ann", "email": "ann@example.com"})
    console.open("users")
    console.click(".people tbody a")
    console.button("Copy uid")
    console.until(lambda: console.clipboard() == "uid-of-ann")


def test_23_copy_the_path_of_a_document(console):
    put(console, "users/ann/orders/o1", {})
    console.open("firestore/users/ann/orders/o1")
    console.button("Copy path")
    console.until(lambda: console.clipboard() == "users/ann/orders/o1")


def test_24_edit_an_element_of_a_nested_array(console):
    inner = {"mapValue": {"fields": {"sizes": array(text("s"), text("m"))}}}
    put(console, "shirts/one", {"stock": inner})
    console.open("firestore/shirts/one")
    value = console.until(
        lambda: console.find('.row[data-path="stock.sizes.1"] [aria-label="Value"]')
    )
    value.clear()
    value.send_keys("xl" + Keys.ENTER)
    console.says("Document saved.")
    fields = console.document("shirts/one")["fields"]["stock"]["mapValue"]["fields"]
    assert fields["sizes"] == array(text("s"), text("xl"))


def test_25_add_a_map_with_two_fields(console):
    put(console, "users/ann", {})
    console.open("firestore/users/ann")
    console.button("Add field")
    console.focused().send_keys("home")
    Select(console.find('.row [aria-label="Type"]')).select_by_visible_text("map")
    for row, (name, value) in enumerate([("city", "Wien"), ("zip", "1010")]):
        console.until(lambda count=row + 1: len(console.all(".row .row")) == count)
        console.all('.row .row [aria-label="Name"]')[row].send_keys(name)
        console.all('.row .row [aria-label="Value"]')[row].send_keys(value)
    console.button("Save")
    console.says("Document saved.")
    assert console.document("users/ann")["fields"]["home"]["mapValue"]["fields"] == {
        "city": text("Wien"),
        "zip": text("1010"),
    }


@pytest.fixture
def missed(console):
    """A query for which there is no index."""
    console.own("PATCH", "switches", {"indexes": "enforce"})
    reply = requests.post(
        f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents:runQuery",
        json={
            "structuredQuery": {
                "from": [{"collectionId": "orders"}],
                "where": {
                    "fieldFilter": {
                        "field": {"fieldPath": "status"},
                        "op": "EQUAL",
                        "value": text("open"),
                    }
                },
                "orderBy": [{"field": {"fieldPath": "placed"}}],
            }
        },
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.status_code == 400, reply.text


def test_26_see_which_index_is_missing(console, missed):
    console.open("overview")
    console.click('body > nav a[href="#/indexes"]')
    console.sees("collection orders where status == … order by placed")
    console.button("Add to the project")
    console.says("The index was added to the project.")


def test_27_see_why_a_query_failed(console, missed):
    console.open("requests")
    row = console.until(lambda: console.find("tbody tr"))
    assert "orders" in row.text and "FAILED_PRECONDITION" in row.text
    console.click("tbody button")
    console.sees("order by placed", ".whole")


def test_30_take_a_deletion_back(console):
    put(console, "users/ann", {"name": text("Ann")})
    console.open("firestore/users/ann")
    console.button("Delete document")
    console.button("Delete document", "dialog")
    console.says("Document deleted.")
    console.button("Undo", "#toasts")
    console.says("Undone.")
    assert console.document("users/ann")["fields"] == {"name": text("Ann")}


def test_33_fold_a_large_document(console):
    put(console, "lists/one", {"all": array(*[text(str(number)) for number in range(40)])})
    console.open("firestore/lists/one")
    fold = console.until(lambda: console.find(".fold"))
    assert fold.get_attribute("aria-expanded") == "false" and "40 elements" in fold.text
    console.click(".fold")
    console.until(lambda: len(console.all(".row .row")) == 40)


def test_34_move_the_clock_and_go_back(console):
    message = reset_mail(console)
    console.open("clock")
    console.button("+1 day")
    console.sees("1 day ahead")
    console.visit(f"mailbox/{message['id']}")
    console.sees("expired", ".detail")
    console.button("Back to real time", "#state")
    console.until(lambda: "expires in" in console.find(".detail").text)


def test_36_go_to_the_mail_beside(console):
    for name in "ab":
        console.client(
            "sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": f"{name}@example.com"}
        )
    newest = console.own("GET", "messages")["messages"][-1]
    console.open(f"mailbox/{newest['id']}")
    console.sees("b@example.com", ".detail")
    console.button("Older message")
    console.sees("a@example.com", ".detail")


def test_37_check_a_mail_against_mail_programs(console, mail):
    console.open(f"mailbox/{mail['id']}")
    console.button("Mail programs")
    console.sees("max-width", "[role=tabpanel]:not([hidden])")


def test_38_look_at_what_came_with_a_mail(console, mail):
    console.open(f"mailbox/{mail['id']}")
    console.button("Attachments (2)")
    console.until(lambda: console.run("return document.querySelector('.pictures img').complete"))
    console.button("Read order.csv")
    console.sees("one,two", "dialog pre")


def test_40_switch_the_project(console):
    other = Console(console.browser, console.url)
    reset_mail(other)
    console.open("mailbox")
    console.click("#picker button")
    console.click(
        lambda: next(entry for entry in console.all("dialog .entry") if other.project in entry.text)
    )
    console.sees("ann@example.com", ".mails")
