import { inOrder, OWN_FILE_SYSTEMS, type Mount } from './mounts.js'

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

export interface BwrapCall {
  mounts: readonly Mount[]
  cwd: string
  network: boolean
  features: BwrapFeatures
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>
  /** System calls that it cannot make, as `--seccomp` reads them. */
  filter?: Uint8Array | undefined
  command: readonly string[]
  /** It controls its terminal, which is nobody else's: so it stays in the session of that. */
  terminal?: boolean
}

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
  { mounts, cwd, network, features, env, filter, terminal = false }: Omit<BwrapCall, 'command'>,
): { options: string[]; texts: (string | Uint8Array)[] } {
  const texts: (string | Uint8Array)[] = []
  const mountOptions = (mount: Mount): string[] => {
    switch (mount.kind) {
      case 'read': return ['--ro-bind', mount.from, mount.at]
      case 'write': return ['--bind', mount.from, mount.at]
      case 'link': return ['--symlink', mount.target, mount.at]
      case 'blank': return ['--ro-bind', '/dev/null', mount.at]
      case 'memory': return [...(features.size ? ['--size', String(mount.bytes)] : []), '--tmpfs', mount.at]
      case 'processes': return ['--proc', mount.at]
      case 'devices': return ['--dev', mount.at]
      case 'text': return ['--ro-bind-data', String(FIRST_TEXT_FD + texts.push(mount.text) - 1), mount.at]
    }
  }
  const options = [
    '--unshare-all', '--unshare-user', ...(network ? ['--share-net'] : []),
    ...(features.disableUserns ? ['--disable-userns'] : []),
    ...(terminal ? [] : ['--new-session']), '--die-with-parent', '--cap-drop', 'ALL', '--hostname', 'localhost',
    ...inOrder([...OWN_FILE_SYSTEMS, ...mounts]).flatMap(mountOptions),
    // Nothing is made beside the mounts, and nothing in /dev but /dev/shm.
    '--remount-ro', '/dev', '--remount-ro', '/',
    ...(filter === undefined ? [] : ['--seccomp', String(FIRST_TEXT_FD + texts.push(filter) - 1)]),
    '--chdir', cwd, '--clearenv', ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
  return { options, texts }
}
