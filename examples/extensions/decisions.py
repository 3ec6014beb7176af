#!/usr/bin/env python3
"""An extension in plain Python, without a library, that brings verbs: models call them in blocks like those of hermes.

    # ~/.hermes/config.yaml
    extensions:
      decisions:
        command: python3
        args: [~/extensions/decisions.py]
        verbs: [record_decision, list_decisions]

What it writes it writes by requests to hermes (fs/writeFile and others), so that it passes the policy and can be undone.
Standard output belongs to the protocol (docs/extensions.md); what is printed for people goes to standard error.
"""
import json
import queue
import sys
import threading

VERBS = [
    {
        "name": "record_decision",
        "description": "Record a decision of the project: a page decisions/NAME.md, and its line in DECISIONS.md.",
        "access": "write",
        "primary": "name",
        "arguments": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Short name, e.g. \"use-sqlite\"."},
                "text": {"type": "string", "description": "What was decided, and why."},
            },
            "required": ["name", "text"],
        },
        "result": {
            "type": "object",
            "properties": {"files": {"type": "array", "items": {"type": "string"}}},
            "required": ["files"],
        },
        "examples": [{"name": "use-sqlite", "text": "One file, no server."}],
    },
    {
        "name": "list_decisions",
        "description": "List the decisions of the project.",
        "access": "read",
        "arguments": {"type": "object", "properties": {}, "additionalProperties": False},
    },
]

lock = threading.Lock()
answers = {}  # by the id of our request: where its answer is put
last_id = 0


class Refused(Exception):
    """hermes refused a request: its error says why, in words that a model can use."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


def write(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode("utf-8")
    with lock:
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        sys.stdout.buffer.flush()


def read():
    """The next message; None at the end of the input."""
    length = None
    while True:
        line = sys.stdin.buffer.readline()
        if line == b"":
            return None
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length).decode("utf-8"))
        name, _, value = line.decode("ascii").partition(":")
        if name.strip().lower() == "content-length":
            length = int(value)


def ask(method, params):
    """Sends a request and waits for its answer."""
    global last_id
    with lock:
        last_id += 1
        request_id = last_id
        answers[request_id] = queue.Queue()
    write({"id": request_id, "method": method, "params": params})
    answer = answers[request_id].get()
    del answers[request_id]
    if "error" in answer:
        raise Refused(answer["error"])
    return answer["result"]


def record_decision(files, name, text):
    page = "decisions/%s.md" % name
    index = "DECISIONS.md"
    known = files("readFile", path=index)["content"] if files("exists", path=index)["exists"] else "# Decisions\n\n"
    # The index first: where the policy keeps it as it is, there is no page without its line.
    files("writeFile", path=index, content="%s- [%s](%s)\n" % (known, name, page))
    files("writeFile", path=page, content="# %s\n\n%s\n" % (name, text))
    return {"files": [index, page]}


def list_decisions(files):
    if not files("exists", path="DECISIONS.md")["exists"]:
        return {"decisions": []}
    lines = files("readFile", path="DECISIONS.md")["content"].splitlines()
    return {"decisions": [line[3:].split("]")[0] for line in lines if line.startswith("- [")]}


def carry_out(request_id, params):
    def files(method, **args):
        return ask("fs/" + method, {"executionId": params["executionId"], **args})

    try:
        verb = {"record_decision": record_decision, "list_decisions": list_decisions}[params["verb"]]
        write({"id": request_id, "result": verb(files, **params["arguments"])})
    except Refused as refused:
        # With its code and hint: so that the model learns what to do.
        write({"id": request_id, "error": {"code": -32050, **refused.error}})
    except Exception as error:
        write({"id": request_id, "error": {"code": -32050, "message": str(error)}})


while True:
    message = read()
    if message is None:
        break
    method, request_id, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method is None:
        if request_id in answers:
            answers[request_id].put(message)
    elif method == "initialize":
        write({"id": request_id, "result": {
            "name": "decisions", "version": "1.0.0", "capabilities": {"commands": [], "verbs": VERBS},
        }})
    elif method == "verb/execute":
        threading.Thread(target=carry_out, args=(request_id, params), daemon=True).start()
    elif method == "shutdown":
        write({"id": request_id, "result": None})
        break
    elif request_id is not None:
        write({"id": request_id, "error": {"code": -32601, "message": "Unknown method: %s" % method}})
