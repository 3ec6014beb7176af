"""Runs a program at a pseudo terminal. Arguments: JSON of [waited-for text, what is then typed] pairs, and the program.

Prints JSON {exit, output, left}: what the terminal showed, and the steps that were not reached.
"""
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    # Wide enough that no line is broken.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
seen = 0
deadline = time.time() + 20
ended = False
while not ended and time.time() < deadline:
    if steps and steps[0][0].encode() in shown[seen:]:
        seen = len(shown)
        os.write(terminal, steps.pop(0)[1].encode())
    if select.select([terminal], [], [], 0.05)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            piece = b""
        ended = piece == b""
        shown += piece
if not ended:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
print(json.dumps({"exit": os.waitstatus_to_exitcode(status), "output": shown.decode("utf-8", "replace"), "left": steps}))
