"""The port of the send APIs: chosen, taken, told to a command."""

import socket
import subprocess

from support.server import Server, binary


def test_a_taken_port_is_said_and_the_start_goes_on():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        server = Server("--mail-api-port", str(port))
        server.stop()
    assert "mail-api" not in server.addresses
    said = [line for line in server.lines if "--mail-api-port" in line]
    assert len(said) == 1 and str(port) in said[0]


def test_exec_tells_the_port_to_the_command():
    names = (
        "RESEND_API_URL",
        "RESEND_BASE_URL",
        "AWS_ENDPOINT_URL_SES",
        "AWS_ENDPOINT_URL_SESV2",
        "AWS_ENDPOINT_URL_SNS",
        "AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2",
    )
    script = "echo " + " ".join(f"${name}" for name in names) + " $MG_URL $TELNYX_BASE_URL"
    done = subprocess.run(
        [binary(), "exec", "--", "sh", "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    urls = done.stdout.split()
    assert urls[:6] == [urls[0]] * 6 and urls[6:] == [urls[0] + "/v3", urls[0] + "/v2"]
    assert urls[0].startswith("http://127.0.0.1:")
