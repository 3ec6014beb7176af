#!/usr/bin/env python3
"""my-extension: an extension of hermes in plain Python, without a library.

Standard input and output belong to the protocol (hermes help extensions): JSON-RPC 2.0, each message after a header
with its length in bytes. Whatever is printed for people goes to standard error.
"""
import json
import sys
import threading

lock = threading.Lock()
answers = {}  # by the id of our request: an event, and the answer once it has come
last_id = 0


def check():
    """Looks at the answer of the model and changes nothing."""
    found = json.loads(ask("editor/getMessage", format="json")["message"])
    return "%d blocks can be read, %d errors" % (len(found["blocks"]), len(found["errors"]))


def strip():
    """Changes the answer: takes spaces away at the ends of its lines."""
    found = ask("editor/getMessage")
    text = "\n".join(line.rstrip(" \t") for line in found["message"].split("\n"))
    if text == found["message"]:
        return "nothing to strip"
    # With the revision nothing is done where the answer was changed meanwhile.
    ask("editor/setMessage", message=text, revision=found["revision"])
    return "stripped"


# By the names that hermes calls them. What one returns is shown to the user, and so is what it raises.
COMMANDS = {"check": check, "strip": strip}


def write(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode("utf-8")
    with lock:
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        sys.stdout.buffer.flush()


def read():
    """The next message; None at the end of the input, and where a frame cannot be read."""
    length = None
    while True:
        line = sys.stdin.buffer.readline()
        if line == b"":
            return None
        if line == b"\r\n":
            break
        name, _, value = line.decode("latin-1").partition(":")
        if name.strip().lower() == "content-length" and value.strip().isdecimal():
            length = int(value)
    try:
        return json.loads(sys.stdin.buffer.read(length or 0).decode("utf-8"))
    except ValueError as error:
        print("unreadable message: %s" % error, file=sys.stderr)
        return None


def ask(method, **params):
    """Sends a request and waits for its answer, which may come after others."""
    global last_id
    arrived = threading.Event()
    with lock:
        last_id += 1
        request_id = last_id
        answers[request_id] = [arrived, None]
    write({"id": request_id, "method": method, "params": params})
    arrived.wait()
    answer = answers.pop(request_id)[1]
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


def execute(params):
    """Carries out a command in a thread of its own, so that answers can be read meanwhile, and says that it is done."""
    outcome = {"executionId": params["executionId"]}
    try:
        outcome["message"] = COMMANDS[params["command"]]()
    except Exception as error:
        print("%s: %r" % (params["command"], error), file=sys.stderr)
        outcome.update(success=False, message=str(error))
    write({"method": "command/finished", "params": outcome})


def main():
    while True:
        message = read()
        if message is None:
            return  # hermes is gone
        method = message.get("method")
        if method is None:
            waiting = answers.get(message.get("id"))
            if waiting:
                waiting[1] = message
                waiting[0].set()
        elif method == "initialize":
            capabilities = {"commands": list(COMMANDS), "commandFinished": True}
            result = {"name": "my-extension", "version": "0.1.0", "capabilities": capabilities}
            write({"id": message["id"], "result": result})
        elif method == "command/execute":
            threading.Thread(target=execute, args=(message["params"],), daemon=True).start()
        elif method == "shutdown":
            write({"id": message["id"], "result": {}})
            return
        elif "id" in message:
            write({"id": message["id"], "error": {"code": -32601, "message": "Unknown method: " + method}})


main()
