"""Programs and libraries that send mail over SMTP, each as its users call it."""

import asyncio
import email.message
import os
import pathlib
import shutil
import smtplib
import socket
import ssl
import subprocess

import pytest

NODE_MODULES = "/usr/share/nodejs"


class Outgoing:
    """A mail, and how it is to be sent."""

    def __init__(self, port: int, user: str, recipient: str, subject: str, ca: str | None = None):
        self.port = port
        self.user = user
        self.sender = "app@example.com"
        self.recipient = recipient
        self.subject = subject
        self.text = f"Your code is 482913.\n.\n.hidden\n{subject}\n"
        # The file with the certificate to trust, where STARTTLS is used.
        self.ca = ca

    @property
    def message(self) -> email.message.EmailMessage:
        message = email.message.EmailMessage()
        message["From"] = f"The app <{self.sender}>"
        message["To"] = self.recipient
        message["Subject"] = self.subject
        message.set_content(self.text)
        return message

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.ca)

    def run(self, *command: str, input: str | None = None, **environment: str) -> None:
        if shutil.which(command[0]) is None:
            pytest.skip(f"{command[0]} is not installed")
        # Go compiles its library the first time.
        done = subprocess.run(
            command,
            input=input,
            text=True,
            capture_output=True,
            timeout=150,
            env={**os.environ, **environment},
        )
        assert done.returncode == 0, done.stdout + done.stderr


def with_smtplib(mail: Outgoing) -> None:
    with smtplib.SMTP("localhost", mail.port, timeout=60) as client:
        if mail.ca:
            client.starttls(context=mail.context())
        client.login(mail.user, "any")
        client.send_message(mail.message)


def with_smtplib_blindly(mail: Outgoing) -> None:
    """As many back ends do: no EHLO, STARTTLS without a look at the offer, no verification."""
    client = smtplib.SMTP("127.0.0.1", mail.port, timeout=60)
    if mail.ca:
        client.starttls()
    client.login(mail.user, "any")
    client.sendmail(mail.sender, [mail.recipient], mail.message.as_string())
    client.quit()


def with_django(mail: Outgoing) -> None:
    from django.conf import settings
    from django.core.mail import EmailMessage, get_connection

    if not settings.configured:
        settings.configure(DEFAULT_CHARSET="utf-8")
    connection = get_connection(
        "django.core.mail.backends.smtp.EmailBackend",
        host="127.0.0.1",
        port=mail.port,
        username=mail.user,
        password="any",
        use_tls=bool(mail.ca),
    )
    if mail.ca:
        connection.ssl_context = mail.context()
    sent = EmailMessage(
        mail.subject, mail.text, mail.sender, [mail.recipient], connection=connection
    ).send()
    assert sent == 1


def with_aiosmtplib(mail: Outgoing) -> None:
    import aiosmtplib

    asyncio.run(
        aiosmtplib.send(
            mail.message,
            hostname="127.0.0.1",
            port=mail.port,
            username=mail.user,
            password="any",
            tls_context=mail.context() if mail.ca else None,
        )
    )


def with_curl(mail: Outgoing) -> None:
    tls = ["--ssl-reqd", "--cacert", mail.ca] if mail.ca else []
    mail.run(
        "curl",
        "-sS",
        f"smtp://localhost:{mail.port}",
        *tls,
        "--user",
        f"{mail.user}:any",
        "--mail-from",
        mail.sender,
        "--mail-rcpt",
        mail.recipient,
        "--upload-file",
        "-",
        input=mail.message.as_string(),
    )


def with_swaks(mail: Outgoing) -> None:
    tls = ["--tls", "--tls-ca-path", mail.ca, "--tls-verify"] if mail.ca else []
    mail.run(
        "swaks",
        "--server",
        "localhost",
        "--port",
        str(mail.port),
        *tls,
        "--auth",
        "CRAM-MD5",
        "--auth-user",
        mail.user,
        "--auth-password",
        "any",
        "--from",
        mail.sender,
        "--to",
        mail.recipient,
        "--data",
        "-",
        input=mail.message.as_string(),
    )


def with_msmtp(mail: Outgoing) -> None:
    tls = (
        ["--tls=on", "--tls-starttls=on", f"--tls-trust-file={mail.ca}"]
        if mail.ca
        else ["--tls=off"]
    )
    mail.run(
        "msmtp",
        "--file=/dev/null",
        "--host=localhost",
        f"--port={mail.port}",
        *tls,
        "--auth=plain",
        f"--user={mail.user}",
        "--passwordeval=echo any",
        f"--from={mail.sender}",
        mail.recipient,
        input=mail.message.as_string(),
    )


NODEMAILER = """
const [port, user, from, to, subject, text] = process.argv.slice(1)
require("nodemailer").createTransport({host: "localhost", port: +port, auth: {user, pass: "any"}})
  .sendMail({from, to, subject, text})
  .then(info => process.exit(/queued as \\d+/.test(info.response) ? 0 : 3))
  .catch(error => { console.error(error); process.exit(1) })
"""


def with_nodemailer(mail: Outgoing) -> None:
    if not pathlib.Path(NODE_MODULES, "nodemailer").exists():
        pytest.skip("node-nodemailer is not installed")
    trust = {"NODE_EXTRA_CA_CERTS": mail.ca} if mail.ca else {}
    mail.run(
        "node",
        "-e",
        NODEMAILER,
        str(mail.port),
        mail.user,
        mail.sender,
        mail.recipient,
        mail.subject,
        mail.text,
        NODE_PATH=NODE_MODULES,
        **trust,
    )


GO = """package main

import ("net/smtp"; "os")

func main() {
  a := os.Args[1:]
  auth := smtp.PlainAuth("", a[1], "any", "localhost")
  if err := smtp.SendMail("localhost:"+a[0], auth, a[2], []string{a[3]}, []byte(a[4])); err != nil {
    println(err.Error())
    os.Exit(1)
  }
}
"""


def with_go(mail: Outgoing) -> None:
    folder = pathlib.Path(os.environ.get("TMPDIR", "/tmp"), f"hearth-go-{os.getpid()}")
    folder.mkdir(exist_ok=True)
    program = folder / "main.go"
    program.write_text(GO)
    trust = {"SSL_CERT_FILE": mail.ca} if mail.ca else {}
    mail.run(
        "go",
        "run",
        str(program),
        str(mail.port),
        mail.user,
        mail.sender,
        mail.recipient,
        mail.message.as_string().replace("\n", "\r\n"),
        **trust,
    )


CLIENTS = [
    with_smtplib,
    with_smtplib_blindly,
    with_django,
    with_aiosmtplib,
    with_curl,
    with_swaks,
    with_msmtp,
    with_nodemailer,
    with_go,
]


class Raw:
    """A connection on which nothing is done by itself."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.file = self.socket.makefile("rb")

    def send(self, text: str | bytes) -> None:
        self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def reply(self) -> str:
        """A reply to its last line; empty at the end of the connection."""
        lines = []
        while line := self.file.readline().decode():
            lines.append(line)
            if line[3:4] == " ":
                break
        return "".join(lines)

    def say(self, text: str) -> str:
        self.send(text + "\r\n")
        return self.reply()

    def close(self) -> None:
        self.file.close()
        self.socket.close()
