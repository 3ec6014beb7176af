/** One thing that a sandbox shows at a path. */
export type Mount =
  | { kind: 'read' | 'write'; at: string; from: string }
  /** An empty directory in memory, of at most `bytes`. */
  | { kind: 'memory'; at: string; bytes: number }
  | { kind: 'link'; at: string; target: string }
  /** Text that is given by a file descriptor. */
  | { kind: 'text'; at: string; text: string }
  /** An empty file that cannot be written. */
  | { kind: 'blank'; at: string }
  /** The file system of the sandbox's own processes. */
  | { kind: 'processes'; at: string }
  /** A minimal `/dev`, with terminals of its own. */
  | { kind: 'devices'; at: string }

/** What a command finds, whatever program sets it up. */
export interface PlannedCall {
  mounts: readonly Mount[]
  cwd: string
  network: boolean
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>
  command: readonly string[]
  /** It controls its terminal, which is nobody else's: so it stays in the session of that. */
  terminal: boolean
}

/** Smaller ones only hide what they are mounted on. */
const LEAST_BYTES = 2 ** 20

/** What every sandbox with namespaces has besides. */
export const OWN_FILE_SYSTEMS: readonly Mount[] = [
  { kind: 'processes', at: '/proc' }, { kind: 'devices', at: '/dev' },
  { kind: 'memory', at: '/dev/shm', bytes: 2 ** 28 },
]

/** Directories in memory that commands can fill. */
export function directoriesInMemory(mounts: readonly Mount[]): string[] {
  const last = new Map([...OWN_FILE_SYSTEMS, ...mounts].map(mount => [mount.at, mount]))
  return [...last.values()].flatMap(mount => mount.kind === 'memory' && mount.bytes >= LEAST_BYTES ? [mount.at] : [])
}

/** Outer before inner, so that each covers what it stands on; of one path the last given wins. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  return mounts
    .map((mount, index) => ({ mount, index, depth: mount.at === '/' ? 0 : mount.at.split('/').length }))
    .sort((a, b) => a.depth - b.depth || a.index - b.index)
    .map(({ mount }) => mount)
}

/** The directory or file outside that a path inside shows; `undefined` for what is not there or in memory. */
export function shownFrom(mounts: readonly Mount[], path: string): string | undefined {
  const holds = (mount: Mount) => path === mount.at || path.startsWith(mount.at === '/' ? '/' : `${mount.at}/`)
  const innermost = inOrder(mounts).findLast(holds)
  if (innermost === undefined) return undefined
  if (innermost.kind === 'link') {
    const { target } = innermost
    return shownFrom(mounts, (target.startsWith('/') ? target : `/${target}`) + path.slice(innermost.at.length))
  }
  if (innermost.kind !== 'read' && innermost.kind !== 'write') return undefined
  return innermost.from + path.slice(innermost.at.length)
}
