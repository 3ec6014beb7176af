#!/usr/bin/env python3
"""An extension in plain Python, without a library: mends what models often write wrong, and keeps and gathers answers.

    hermes ext run --command mend --message answer.md -- python3 tidy.py

Standard input and output belong to the protocol (docs/extensions.md): JSON-RPC 2.0, each message after a header with its
length in bytes. Whatever is printed for people goes to standard error.
"""
import json
import os
import re
import sys
import threading

lock = threading.Lock()
answers = {}  # by the id of our request: an event, and the answer once it has come
last_id = 0


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


def ask(method, **params):
    """Sends a request and waits for its answer, which may come after others."""
    global last_id
    with lock:
        last_id += 1
        request_id = last_id
        arrived = threading.Event()
        answers[request_id] = [arrived, None]
    write({"id": request_id, "method": method, "params": params})
    arrived.wait()
    answer = answers.pop(request_id)[1]
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


def mend():
    """Mends headers that nearly are one: '#! SHAM [...]', '#!sham [...]'."""
    found = ask("editor/getMessage")
    text, count = re.subn(r"(?im)^#![ \t]*SHAM[ \t]*(?=\[)", "#!SHAM ", found["message"])
    if text == found["message"]:
        return "nothing to mend"
    result = ask("editor/setMessage", message=text, revision=found["revision"])
    ask("ui/showMessage", title="Mended", message="%d blocks can be read now" % result["blocks"])
    return "mended"


def load():
    """Takes another file as the answer."""
    path = ask("ui/openFile", title="Which answer?", filters=[{"name": "Markdown", "extensions": ["md"]}])["path"]
    if path is None:
        return "nothing was chosen"
    with open(path, encoding="utf-8") as file:
        ask("editor/setMessage", message=file.read())


def gather():
    """Adds further files to the answer."""
    paths = ask("ui/openFiles", title="Which answers are to be added?")["paths"]
    for path in paths or []:
        with open(path, encoding="utf-8") as file:
            found = ask("editor/getMessage")
            ask("editor/setMessage", message=found["message"].rstrip("\n") + "\n\n" + file.read(), revision=found["revision"])
    return "%d files added" % len(paths or [])


def keep():
    """Keeps a copy of the answer."""
    path = ask("ui/saveFile", title="Keep the answer as", defaultName="answer.md")["path"]
    if path is None:
        return "not kept"
    with open(path, "w", encoding="utf-8") as file:
        file.write(ask("editor/getMessage")["message"])
    return "kept as " + os.path.basename(path)


COMMANDS = {"mend": mend, "load": load, "gather": gather, "keep": keep}


def execute(params):
    """Carries out a command in a thread of its own, so that answers can be read meanwhile, and says that it is done."""
    outcome = {"executionId": params["executionId"]}
    try:
        outcome["message"] = COMMANDS[params["command"]]() or "done"
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
            write({"id": message["id"], "result": {"name": "tidy", "version": "1.0.0", "capabilities": capabilities}})
        elif method == "command/execute":
            threading.Thread(target=execute, args=(message["params"],), daemon=True).start()
        elif method == "shutdown":
            write({"id": message["id"], "result": {}})
            return
        elif "id" in message:
            write({"id": message["id"], "error": {"code": -32601, "message": "Unknown method: " + method}})


main()
