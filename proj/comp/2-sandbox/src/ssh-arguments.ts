import { shellWord } from '../../0-text/src/index.js'

/** Another host that commands run on (seed 003 `TERMINAL_SSH_*`). */
export interface SshSettings {
  host: string
  user: string | undefined
  /** Path of the private key. */
  key: string | undefined
  port: string | undefined
  /** Directory there; default: the user's home there. */
  cwd: string | undefined
  /** Arguments before all others, such as `-F FILE`. */
  options: readonly string[]
}

/** A terminal on the other host. */
export interface RemoteTerminal {
  /** Letters, digits and `-`; no other process has it in its environment. */
  mark: string
}

/** @returns `undefined` where no host is named. Empty variables count as absent. */
export function sshSettings(
  env: Readonly<Record<string, string | undefined>>, cwd: string | undefined,
): SshSettings | undefined {
  const value = (name: string) => env[`TERMINAL_SSH_${name}`] || undefined
  const host = value('HOST')
  if (host === undefined) return undefined
  return { host, user: value('USER'), key: value('KEY'), port: value('PORT'), cwd: value('CWD') ?? cwd, options: [] }
}

/** Arguments of `ssh` that run a command there: nobody is asked, nothing of this machine is forwarded. */
export function sshArguments(
  settings: SshSettings, env: Readonly<Record<string, string>>, command: readonly string[], terminal?: RemoteTerminal,
): string[] {
  const { host, cwd, options } = settings
  return [
    ...options, terminal === undefined ? '-T' : '-tt', ...connection(settings, 15),
    // The escape character would end the connection from what is typed.
    ...(terminal === undefined ? [] : ['-e', 'none']),
    '--', host, terminal === undefined ? remoteCommand(cwd, env, command) : remoteTerminal(cwd, env, command, terminal),
  ]
}

/** Arguments of `ssh` that speak SFTP with the host. A dead one is found out soon: all of hermes waits for it. */
export function sftpArguments(settings: SshSettings): string[] {
  const { host, options } = settings
  return [...options, '-T', ...connection(settings, 5), '-e', 'none', '-s', '--', host, 'sftp']
}

function connection({ user, key, port }: SshSettings, aliveSeconds: number): string[] {
  return [
    '-o', 'BatchMode=yes', '-o', 'ForwardAgent=no', '-o', 'ForwardX11=no', '-o', 'ClearAllForwardings=yes',
    '-o', 'PermitLocalCommand=no', '-o', 'ConnectTimeout=10', '-o', `ServerAliveInterval=${aliveSeconds}`,
    ...(key === undefined ? [] : ['-o', 'IdentitiesOnly=yes', '-i', key]),
    ...(port === undefined ? [] : ['-p', port]),
    ...(user === undefined ? [] : ['-l', user]),
  ]
}

/**
 * One command line for the shell of the other host. The connection's standard input stays open while the command may
 * run; its end means that nobody waits any more, and the command's process group is ended.
 */
export function remoteCommand(
  cwd: string | undefined, env: Readonly<Record<string, string>>, command: readonly string[],
): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const start = ['env', ...assignments, ...command].map(shellWord).join(' ')
  const script = [
    ...(cwd === undefined ? [] : [`cd -- ${shellWord(cwd)} || exit 126`]),
    // A group of its own: by setsid on Linux, by perl on macOS; else only the command itself is ended.
    'if command -v setsid >/dev/null; then g=- l=setsid',
    'elif command -v perl >/dev/null; then g=- l="perl -e setpgrp;exec@ARGV"', 'else g= l=; fi',
    'exec 3<&0', `$l ${start} </dev/null 3<&- &`, 'p=$!',
    '(cat <&3 >/dev/null; kill -TERM $g$p; sleep 0.5; kill -KILL $g$p) >/dev/null 2>&1 &', 'w=$!',
    'wait $p', 's=$?', 'kill -KILL $g$p 2>/dev/null', 'kill $w 2>/dev/null', 'exit $s',
  ].join('\n')
  return `exec sh -c ${shellWord(script)}`
}

/**
 * The same on a terminal there, which hangs up on what runs when the connection ends. What ignores that is found by the
 * mark in its environment (Linux) and ended by a watcher, which looks each second whether the terminal is still there.
 */
function remoteTerminal(
  cwd: string | undefined, env: Readonly<Record<string, string>>, command: readonly string[], { mark }: RemoteTerminal,
): string {
  const assignments = Object.entries({ ...env, HERMES_TERMINAL: mark }).map(([name, value]) => `${name}=${value}`)
  const start = ['env', ...assignments, ...command].map(shellWord).join(' ')
  // One line, since a csh takes no more in quotes.
  const script = [
    ...(cwd === undefined ? [] : [`cd -- ${shellWord(cwd)} || exit 126;`]),
    '(trap "" HUP INT QUIT TERM TTIN TTOU; while (: </dev/tty); do sleep 1; done;',
    `for s in TERM KILL KILL; do for e in $(grep -l -a -F -e HERMES_TERMINAL=${mark} /proc/[0-9]*/environ);`,
    'do p=${e#/proc/}; kill -$s "${p%/environ}"; done; sleep 0.5; done) </dev/null >/dev/null 2>&1 &',
    `exec ${start}`,
  ].join(' ')
  return `exec sh -c ${shellWord(script)}`
}
