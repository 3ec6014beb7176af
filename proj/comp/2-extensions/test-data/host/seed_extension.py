"""An extension written from the text of seed 001 ("Protocol Specification") alone: Python's own library, nothing of ours.

It reads frames to the letter, keeps every byte that hermes sends in the file given first, and ends with 1 and a line
on standard error where hermes does something that the text does not say.
"""
import json
import re
import sys

# "Extension-Initiated", in its order. The text has no params for them.
METHODS = [
    "editor/getMessage", "editor/patchMessage", "editor/setMessage", "ui/openWindow", "ui/closeWindow",
    "ui/showMessage", "ui/showConfirm", "ui/openFile", "ui/openFiles", "ui/saveFile", "ui/selectDirectory",
]
kept = open(sys.argv[1], "wb")


def must(holds, what):
    if not holds:
        print("hermes: " + what, file=sys.stderr, flush=True)
        sys.exit(1)


def take(count):
    piece = sys.stdin.buffer.read(count)
    kept.write(piece)
    kept.flush()
    must(len(piece) == count, "the input ends within a message")
    return piece


def read():
    """Header terminated by CR LF CR LF, JSON follows immediately, no trailing newline after it."""
    header = b""
    while not header.endswith(b"\r\n\r\n"):
        header += take(1)
    found = re.fullmatch(rb"Content-Length: ([0-9]+)\r\n\r\n", header)
    must(found, "no header of the form shown: %r" % header)
    body = take(int(found[1]))
    must(body[:1] == b"{" and body[-1:] == b"}", "the length is not the byte count of the JSON content: %r" % body)
    message = json.loads(body.decode("utf-8"))
    must(message.get("jsonrpc") == "2.0", "no JSON-RPC 2.0: %r" % body)
    return message


def write(message):
    # Non-ASCII characters encoded as UTF-8 bytes.
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def work():
    """Multiple requests in flight; track pending requests by id, match responses by id, any order."""
    pending = {}
    for number, method in enumerate(METHODS, 1):
        # Incrementing integers recommended, string IDs allowed.
        id = number if number % 2 else "request %d" % number
        pending[id] = method
        write({"jsonrpc": "2.0", "id": id, "method": method, "params": {}})
    outcomes = {}
    while pending:
        message = read()
        must("method" not in message, "a request while nothing is to be asked: %r" % message)
        method = pending.pop(message["id"], None)
        must(method, "a response to no request: %r" % message)
        must(set(message) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), "no response: %r" % message)
        error = message.get("error")
        must(error is None or (type(error["code"]) is int and type(error["message"]) is str), "no error: %r" % message)
        outcomes[method] = error["code"] if error else message["result"]
    return outcomes


expected = 1
while True:
    message = read()
    if message.get("id"):
        # Hermes -> Extension: 1, 2, 3, 4, ...
        must(message["id"] == expected, "the id %r in place of %d" % (message["id"], expected))
        expected += 1
    if message["method"] == "initialize":
        must(message.get("id"), "initialize is no request")
        write({"jsonrpc": "2.0", "id": message["id"], "result": {}})
    elif message["method"] == "command/execute":
        must("id" not in message, "command/execute is no notification")
        print(json.dumps(work()), file=sys.stderr, flush=True)
        write({"jsonrpc": "2.0", "id": 12, "method": "editor/setMessage", "params": {"message": "gelesen: \u00fc\U0001f989"}})
        must("result" in read(), "editor/setMessage fails")
    else:
        must(message["method"] == "shutdown" and message.get("id"), "an unknown method: %r" % message)
        write({"jsonrpc": "2.0", "id": message["id"], "result": None})
        break
must(sys.stdin.buffer.read() == b"", "more after shutdown")
