"""Exchanges the names of each pair in one step (renameat2), in a tight loop; tells how often on standard output."""
import ctypes
import sys

AT_FDCWD, RENAME_EXCHANGE = -100, 2
exchange = ctypes.CDLL(None, use_errno=True).renameat2
names = [name.encode() for name in sys.argv[1:]]
pairs = list(zip(names[::2], names[1::2]))
if exchange(AT_FDCWD, pairs[0][0], AT_FDCWD, pairs[0][1], RENAME_EXCHANGE) != 0:
    sys.exit(3)
swaps = 1
while True:
    for one, other in pairs:
        exchange(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE)
    swaps += 1
    if swaps % 500 == 0:
        print(swaps, flush=True)
