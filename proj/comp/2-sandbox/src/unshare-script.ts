/** Starts the loopback device by the program in `loopback`. */
const START_LOOPBACK = [
  'case $loopback in',
  '  */ip) "$loopback" link set lo up ;;',
  '  */ifconfig) "$loopback" lo up ;;',
  // SIOCSIFFLAGS with IFF_UP and IFF_RUNNING.
  '  */perl) "$loopback" -e "socket(S,2,2,0) && ioctl(S,0x8914,pack(q(a16s),q(lo),0x41)) or die" ;;',
  '  */python3) "$loopback" -ISc "import fcntl,socket,struct',
  'fcntl.ioctl(socket.socket(2,2),0x8914,struct.pack(\'16sh14x\',b\'lo\',0x41))" ;;',
  'esac',
]

/** Runs the program of its arguments, after the one for the loopback, in a new namespace of networks. */
export const WITH_LOOPBACK = ['set -euf', 'loopback=$1; shift', ...START_LOOPBACK, 'exec "$@"'].join('\n')

/**
 * What sets a sandbox up by the programs of util-linux, as the first process of its namespaces. Bash, since it alone
 * reads what is divided by NUL. All data comes from descriptors and as arguments: nothing is ever put into this text.
 *
 * The arguments are the descriptors of the plan, of the report and of the environment, and then the command. The plan
 * is a list of words (`unshare-plan.ts`); a plan without its end is that of a hermes that died.
 */
export const SETUP = [
  'set -euf',
  'die() { printf "the sandbox cannot be set up: %s\\n" "$1" >&2; exit 1; }',
  'plan_fd=$1 report_fd=$2 environment_fd=$3; shift 3',
  // The descriptors of /proc are still those of the namespace around: so it is told which process this is there.
  'read -r pid rest < /proc/self/stat',
  'printf "{\\"child-pid\\": %s}\\n" "$pid" >&"$report_fd"; exec {report_fd}>&-',
  'mapfile -d "" -t plan <&"$plan_fd"',
  'if [[ $plan_fd != "$environment_fd" ]]; then exec {plan_fd}<&-; fi',
  '[[ ${#plan[@]} -gt 14 && ${plan[-1]} == end ]] || die "its plan is cut off"',
  'new=${plan[0]} uid=${plan[1]} gid=${plan[2]} directory=${plan[3]} mount=${plan[4]} umount=${plan[5]}',
  'pivot_root=${plan[6]} unshare=${plan[7]} setpriv=${plan[8]} bash=${plan[9]} mkdir=${plan[10]} ln=${plan[11]}',
  'loopback=${plan[12]} enter=${plan[13]}; i=14',
  'declare -A state=() writable=(); readonly=()',
  '"$mount" -n -t tmpfs -o mode=755,nosuid,nodev hermes "$new"',
  'while [[ ${plan[i]} != end ]]; do',
  '  step=${plan[i]} n=${plan[i+1]}; words=("${plan[@]:i+2:n}"); i=$((i+2+n))',
  '  case $step in',
  '    directories) "$mkdir" -p -- "${words[@]}" ;;',
  '    file) printf %s "${words[1]}" > "${words[0]}" ;;',
  '    link) "$ln" -s -- "${words[1]}" "${words[0]}" ;;',
  // It reads regular files only: the one that the console may be mounted on holds its table meanwhile.
  '    mounts)',
  '      printf %s "${words[0]}" > "$new/dev/console"',
  '      "$mount" -n -a -T "$new/dev/console" || die "mount failed"',
  '      : > "$new/dev/console" ;;',
  '    remount) "$mount" -n -o "${words[1]}" none "${words[0]}" || die "mount failed" ;;',
  // One namespace of users more may be made: the one that the command runs in.
  '    namespaces) printf 1 > "${words[0]}" ;;',
  '    terminal)',
  '      for fd in 0 1 2; do [[ -t $fd ]] || continue',
  '        "$mount" -n --bind -o nosuid,noexec "/proc/self/fd/$fd" "${words[0]}" && break',
  '      done ;;',
  '    readonly) readonly+=("${words[@]}") ;;',
  '    writable) for path in "${words[@]}"; do writable[$path]=1; done ;;',
  '    *) die "unknown step $step" ;;',
  '  esac',
  'done',
  ...START_LOOPBACK,
  '"$pivot_root" "$new" "$new/tmp"; cd /',
  '"$umount" -n -l /tmp',
  '"$mount" -n -o remount,bind,ro,nosuid,nodev none /',
  // What is there now is compared with what was to be made: no mount may be writable but those that were named.
  'mapfile -t lines < /proc/self/mountinfo',
  'for line in "${lines[@]}"; do',
  '  words=($line); at=${words[4]} options=${words[5]}',
  '  [[ ,$options, == *,nosuid,* ]] || die "$at allows set-uid programs"',
  '  if [[ ,$options, == *,ro,* ]]; then state[$at]=ro; else state[$at]=rw; fi',
  'done',
  'for path in "${!state[@]}"; do',
  '  [[ ${state[$path]} == ro || -n ${writable[$path]-} ]] || die "$path is writable"',
  'done',
  'for path in "${readonly[@]}"; do [[ ${state[$path]-} == ro ]] || die "$path is not kept"; done',
  'exec "$unshare" --user --map-user="$uid" --map-group="$gid" --keep-caps -- "$setpriv" --no-new-privs \\',
  '  --bounding-set=-all --inh-caps=-all --ambient-caps=-all --pdeathsig KILL -- "$bash" \\',
  '  --norc --noprofile -c "$enter" \\',
  '  hermes "$environment_fd" "$directory" "$@"',
].join('\n')

/**
 * The first process of the sandbox once it stands, without any right: takes on the environment, and runs the command.
 * As the first it takes over what the command leaves behind, and all ends with it.
 */
export const ENTER = [
  'environment_fd=$1 directory=$2; shift 2',
  'mapfile -d "" -t variables <&"$environment_fd"',
  'for path in /proc/self/fd/*; do fd=${path##*/}; if (( fd > 2 )); then exec {fd}>&-; fi; done',
  'cd -- "$directory" || exit 1',
  'exec 9>&2 2>/dev/null',
  'export -n PWD OLDPWD SHLVL',
  'others=()',
  'for variable in "${variables[@]}"; do',
  '  case ${variable%%=*} in',
  // Names that mean something else to a shell.
  '    *[!A-Za-z0-9_]*|[0-9]*|""|_|BASH*|SHELLOPTS|POSIXLY_CORRECT|RANDOM|SRANDOM|SECONDS|EPOCH*|LINENO|HISTCMD|\\',
  'GROUPS|DIRSTACK|FUNCNAME|UID|EUID|PPID|COMP_*)',
  '      others+=("$variable") ;;',
  '    *) export "$variable" ;;',
  '  esac',
  'done',
  'if (( ${#others[@]} )); then set -- /usr/bin/env -- "${others[@]}" "$@"; fi',
  '"$@" 2>&9 9>&-',
  'exit $?',
].join('\n')
