"""A client written from the text of seed 001 ("Protocol Specification") alone: Python's own library, nothing of ours.

It starts the program given, plays the examples of the text to it byte for byte, and prints what came back as JSON.
It ends with 1 and a line on standard error where an answer is not as the text says.
"""
import json
import re
import subprocess
import sys

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def must(holds, what):
    if not holds:
        server.kill()
        sys.exit("the server: " + what)


def send(frame):
    server.stdin.write(frame)
    server.stdin.flush()


def framed(message):
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def read():
    """A frame to the letter: as it came, and its message."""
    header = b""
    while not header.endswith(b"\r\n\r\n"):
        piece = server.stdout.read(1)
        must(piece, "it ended within a header: %r" % header)
        header += piece
    found = re.fullmatch(rb"Content-Length: ([0-9]+)\r\n\r\n", header)
    must(found, "no header of the form shown: %r" % header)
    body = server.stdout.read(int(found[1]))
    must(body[:1] == b"{" and body[-1:] == b"}", "the length is not the byte count of the JSON content: %r" % body)
    message = json.loads(body.decode("utf-8"))
    must(message.get("jsonrpc") == "2.0", "no JSON-RPC 2.0: %r" % body)
    if "method" not in message:
        must(set(message) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), "no response: %r" % body)
        error = message.get("error")
        must(error is None or set(error) <= {"code", "message", "data"}, "no error: %r" % body)
    return message


heard = {}

# "Format", "Example": as it stands there. Its length is not that of its body, which has 58 bytes.
send(b'Content-Length: 52\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}')
# The same with the number of its bytes.
send(b'Content-Length: 58\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}')
answers = [read()]
while answers[-1]["id"] is None:
    answers.append(read())
heard["example"] = [answer["error"]["code"] for answer in answers[:-1]]
must(answers[-1]["id"] == 1 and "result" in answers[-1], "no answer to initialize: %r" % answers[-1])

# "Request IDs": 2, 3, 4, ... and strings; "Parallel Requests": many at once, matched by their ids, in any order.
ids = [id for number in range(2, 202) for id in (number, "number %d" % number)]
send(b"".join(framed({
    "jsonrpc": "2.0", "id": id, "method": "parse", "params": {"text": "Gr\u00fc\u00dfe \U0001f989 %s" % id},
}) for id in ids))
pending = set(ids)
while pending:
    message = read()
    must(message.get("id") in pending and "result" in message, "no answer to an open request: %r" % message)
    pending.remove(message["id"])
heard["parallel"] = len(ids)

# "Notification": omits the id, expects no response. "Response (Error)": by the id of its request.
send(framed({"jsonrpc": "2.0", "method": "initialized"}))
send(framed({"jsonrpc": "2.0", "id": "none", "method": "editor/nothing"}))
message = read()
must(message.get("id") == "none", "an answer to something else: %r" % message)
heard["unknown"] = message["error"]["code"]

# "Content-Length refers to byte count, not character count", both ways.
text = "\u00fc\U0001f989\u4e16" * 2000
send(framed({"jsonrpc": "2.0", "id": 202, "method": "verb/execute", "params": {
    "verb": "echo_nothing", "arguments": {"text": text},
}}))
heard["refused"] = read()["error"]["code"]

# Params may be left out.
send(framed({"jsonrpc": "2.0", "id": 203, "method": "shutdown"}))
message = read()
must(message == {"jsonrpc": "2.0", "id": 203, "result": None}, "no answer to shutdown: %r" % message)
send(framed({"jsonrpc": "2.0", "method": "exit"}))
heard["left"] = server.stdout.read().decode("utf-8")
heard["code"] = server.wait()
print(json.dumps(heard))
