import { inOrder, OWN_FILE_SYSTEMS, type Mount, type PlannedCall } from './mounts.js'
import { SHARED, type SharedDirectory } from './shared-directories.js'

/** What bubblewrap reports on; it reads its options from the next descriptor, and texts from those after. */
const STATUS_FD = 3
const OPTIONS_FD = 4
const FIRST_TEXT_FD = 5

/** What this version of bubblewrap can do besides. */
export interface BwrapFeatures {
  /** `--size` for directories in memory; since 0.7. */
  size: boolean
  /** `--disable-userns`; since 0.8. */
  disableUserns: boolean
}

export interface BwrapCall extends Omit<PlannedCall, 'terminal'>, Partial<Pick<PlannedCall, 'terminal'>> {
  features: BwrapFeatures
  /** System calls that it cannot make, as `--seccomp` reads them. */
  filter?: Uint8Array | undefined
  /** It is started in the namespaces of a task; the mounts are then all there are. */
  isJoined?: boolean
  /** It is started in a namespace of networks, and in the user namespace that this is of: it stays in that network. */
  isEntered?: boolean
}

/** Where the holder of a task's namespaces has the processes that are in them. */
export const SHARED_PROCESSES = `${SHARED}/proc`
/**
 * Waits until hermes closes the pipe, and reaps what commands leave behind. A command may end the program that waits,
 * not the shell: the first process of a namespace hears no signal that comes from inside.
 */
const HOLD = 'PATH=/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin; echo up; exec >/dev/null; '
  + 'until cat; do :; done'

/** What every sandbox has besides; in the namespaces of a task, where the processes are those that are in them. */
export const JOINED_FILE_SYSTEMS: readonly Mount[] = [
  { kind: 'write', at: '/proc', from: SHARED_PROCESSES },
  ...OWN_FILE_SYSTEMS.filter(({ kind }) => kind !== 'processes'),
]

/**
 * The argument list of bubblewrap, and what it reads from the file descriptors 4, 5, …. The first of these are nearly
 * all of its options: the environment is nobody else's to see, and bubblewrap itself must not run with it, since it
 * starts outside the sandbox (`LD_PRELOAD`).
 */
export function bwrapArguments(call: BwrapCall): { args: string[]; inputs: (string | Uint8Array)[] } {
  const { options, texts } = bwrapOptions(call)
  return {
    args: ['--args', String(OPTIONS_FD), '--json-status-fd', String(STATUS_FD), '--', ...call.command],
    inputs: [options.map(option => `${option}\0`).join(''), ...texts],
  }
}

/** The options as they are on a command line; texts are read from descriptor 5 on. */
export function bwrapOptions(
  {
    mounts, cwd, network, features, env, filter, terminal = false, isJoined = false, isEntered = false,
  }: Omit<BwrapCall, 'command'>,
): { options: string[]; texts: (string | Uint8Array)[] } {
  const texts: (string | Uint8Array)[] = []
  const given = (text: string | Uint8Array): number => FIRST_TEXT_FD + texts.push(text) - 1
  const options = [
    // Where it joins, the others are those that it was started in.
    ...(isJoined ? ['--unshare-user', ...ownUser(), '--unshare-uts', '--unshare-cgroup-try']
      : ['--unshare-all', '--unshare-user', ...(network ? ['--share-net'] : [])]),
    ...(isEntered ? ownUser() : []),
    ...(features.disableUserns ? ['--disable-userns'] : []),
    ...(terminal ? [] : ['--new-session']), '--die-with-parent', '--cap-drop', 'ALL', '--hostname', 'localhost',
    ...inOrder(isJoined ? mounts : [...OWN_FILE_SYSTEMS, ...mounts])
      .flatMap(mount => mountOptions(mount, features, given)),
    // Nothing is made beside the mounts, and nothing in /dev but /dev/shm.
    '--remount-ro', '/dev', '--remount-ro', '/',
    ...(filter === undefined ? [] : ['--seccomp', String(given(filter))]),
    '--chdir', cwd, '--clearenv', ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
  return { options, texts }
}

/** The options for the holder of a task's namespaces, and the program that holds them. */
export function holderOptions(
  mounts: readonly Mount[], directories: readonly SharedDirectory[], network: boolean,
): { options: string[]; command: string[] } {
  const shown = inOrder(mounts).flatMap(mount => mountOptions(mount, { size: true, disableUserns: true }, () => 0))
  const options = [
    // The user around that of the commands: it alone may make their mounts.
    '--unshare-user', '--uid', '0', '--gid', '0', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try',
    ...(network ? [] : ['--unshare-net']), '--as-pid-1', '--new-session', '--die-with-parent', '--cap-drop', 'ALL',
    // Bubblewrap itself, which makes the mounts of the commands here, needs the machine's own.
    '--dev-bind', '/dev', '/dev', '--bind', '/proc', '/proc', ...shown, '--dir', SHARED, '--proc', SHARED_PROCESSES,
    ...directories.flatMap(({ from, bytes, pins }) => [
      '--size', String(bytes), '--tmpfs', from, ...pins.flatMap(name => ['--dir', `${from}/${name}`]),
    ]),
    '--remount-ro', '/', '--chdir', '/', '--clearenv',
  ]
  return { options, command: ['/bin/sh', '-c', HOLD] }
}

/** Around it is a user namespace in which the user is root. */
function ownUser(): string[] {
  const { getuid = () => 0, getgid = () => 0 } = process
  return ['--uid', String(getuid()), '--gid', String(getgid())]
}

/** @param given the descriptor by which a text is given */
function mountOptions(mount: Mount, features: BwrapFeatures, given: (text: string) => number): string[] {
  switch (mount.kind) {
    case 'read': return ['--ro-bind', mount.from, mount.at]
    case 'write': return ['--bind', mount.from, mount.at]
    case 'link': return ['--symlink', mount.target, mount.at]
    case 'blank': return ['--ro-bind', '/dev/null', mount.at]
    case 'memory': return [...(features.size ? ['--size', String(mount.bytes)] : []), '--tmpfs', mount.at]
    case 'processes': return ['--proc', mount.at]
    case 'devices': return ['--dev', mount.at]
    case 'text': return ['--ro-bind-data', String(given(mount.text)), mount.at]
  }
}
