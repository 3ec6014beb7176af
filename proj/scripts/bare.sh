#!/usr/bin/env bash
# Runs a command as on a machine that has Node, npm, git, Python and a C compiler, and nothing else that tests can use.
# As root: a PATH alone would not hide programs, since hermes looks in the system's own directories; so an empty device
# is mounted over each, in a namespace of mounts that ends with the command.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: bare.sh COMMAND [ARG…]" >&2; exit 2; }

if [ "${1:-}" != --inside ]; then
  exec unshare --mount -- bash "$0" --inside "$@"
fi
shift
for name in bwrap chromium redis-server redis-cli ruby sshd ssh ssh-agent strace tmux zsh fish groff; do
  for directory in /usr/local/sbin /usr/local/bin /usr/sbin /usr/bin; do
    file=$(readlink -f "$directory/$name") || continue
    [ ! -f "$file" ] || mount --bind /dev/null "$file"
  done
done
exec "$@"
