import { OWNER_VARIABLE } from './container-engines.js'

/**
 * Ends what a command has started in a container: `$1` names the container, `$2` the command. Both stand in the
 * environment of what belongs to them. What carries no name has hidden it, and is ended too where it is there at
 * two looks: a command of another call is without one for a moment, as it begins. SIGTERM first, SIGKILL after a
 * second.
 *
 * It does nothing where the first process is not that of this very container, since elsewhere it would end what is not
 * its own; it fails then, and where something is left.
 */
const SCRIPT = `v=${OWNER_VARIABLE} c=$1 m=$2
grep -q -a -F -e "$v=$c" /proc/1/environ || exit 1
nap() { sleep 0.1 2>/dev/null || sleep 1; }
look() {
  grep "$1" -a -F -e "$2" /proc/[0-9]*/environ 2>/dev/null | while read -r e; do
    p=\${e#/proc/}; p=\${p%/environ}
    [ "$p" != 1 ] && read -r s 2>/dev/null <"/proc/$p/stat" || continue
    case \${s##*)} in " Z"*|" X"*) ;; *) echo "$p";; esac
  done
}
old=$(look -L "$v="); nap
for s in TERM KILL KILL KILL; do
  n=0
  while [ $n -lt 10 ]; do
    a=$(look -l "$v=$m"); now=$(look -L "$v=")
    for p in $now; do case " $(echo $old) " in *" $p "*) a="$a $p";; esac; done
    old=$now; set -- $a; [ $# -gt 0 ] || exit 0
    [ $n = 0 ] && kill -$s "$@" 2>/dev/null
    n=$((n + 1)); nap
  done
done
exit 1`

/** The command that does that; it runs in the container, under a name of its own. */
export function endCommand(container: string, mark: string): { env: Record<string, string>; command: string[] } {
  return { env: { [OWNER_VARIABLE]: `${container}:end` }, command: ['sh', '-c', SCRIPT, 'sh', container, mark] }
}
