"""Puts one text in the place of another: swap.py OLD NEW [OLD NEW]...; plain Python, by the protocol alone."""
import json
import sys

PAIRS = list(zip(sys.argv[1::2], sys.argv[2::2]))
last_id = 0


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def receive():
    length = None
    for line in iter(sys.stdin.buffer.readline, b""):
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    sys.exit(0)


def ask(method, params):
    global last_id
    last_id += 1
    send({"id": last_id, "method": method, "params": params})
    while True:
        answer = receive()
        if answer.get("id") == last_id and "method" not in answer:
            return answer["result"]


while True:
    message = receive()
    if message["method"] == "initialize":
        send({"id": message["id"], "result": {
            "name": "swap", "version": "1.0", "capabilities": {"commands": ["swap"], "commandFinished": True},
        }})
    elif message["method"] == "shutdown":
        send({"id": message["id"], "result": None})
        sys.exit(0)
    elif message["method"] == "command/execute":
        text = ask("editor/getMessage", {})["message"]
        for old, new in PAIRS:
            text = text.replace(old, new)
        ask("editor/setMessage", {"message": text})
        send({"method": "command/finished", "params": {"executionId": message["params"]["executionId"]}})
