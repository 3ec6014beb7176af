
import type { CommitPlace } from '../../0-contracts/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import type { ShownNetwork } from './command-environment.js'
import { hiddenCredentials, hiddenHermes } from './credentials.js'
import { commitMounts, protectedMounts } from './kept-paths.js'
import { realPath } from './home.js'
import { inOrder, type Mount } from './mounts.js'
import { pathPrefixes } from './path-prefixes.js'
import { systemMounts } from './system-mounts.js'

/** Most bytes of `/tmp`, of the home and of `/dev/shm` each: they are kept in memory. */
const MEMORY_BYTES = 2 ** 30

export interface Place {
  /** Canonical; commands may write there, as in `allow`. */
  root: string
  allow: readonly string[]
  readOnly: readonly string[]
  network: ShownNetwork
  home: string
  /** Value of PATH. */
  path: string
  /** Programs to be visible wherever they are. */
  programs: readonly string[]
}

/** What does not change while PATH stays the same: it takes a look at each link in it. */
export function standingMounts({ root, allow, network, home, path, programs }: Place): Mount[] {
  const system = systemMounts(home, network)
  const covered = [...system.filter(mount => mount.kind === 'read').map(mount => mount.at), root, ...allow]
  const prefixes = pathPrefixes(path, home, covered, programs)
  return [
    ...system, ...homeMounts(home),
    { kind: 'memory', at: '/tmp', bytes: MEMORY_BYTES }, { kind: 'link', at: '/var/tmp', target: '/tmp' },
    ...prefixes.map((prefix): Mount => ({ kind: 'read', at: prefix, from: prefix })),
    ...[...allow, root].map((directory): Mount => ({ kind: 'write', at: directory, from: directory })),
    ...hiddenCredentials(realPath(home) ?? home, prefixes, [root, ...allow]),
  ]
}

interface Now {
  standing: readonly Mount[]
  readable: readonly string[]
  commit: CommitPlace | undefined
}

/** What a command finds now: its read-only parts may have come since the last one. */
export function currentMounts(
  verb: string, { root, allow, readOnly, home }: Place, { standing, readable, commit }: Now,
): Mount[] {
  const writable = [root, ...allow]
  const ordered = inOrder(standing)
  const isWritable = (path: string): boolean => ordered.findLast(({ at }) => isInside(at, path))?.kind === 'write'
  const isShown = (path: string): boolean => (
    writable.some(base => isInside(base, path)) && !(commit?.repositories.some(base => isInside(base, path)) ?? false)
  )
  const ofCommit = commit === undefined ? [] : commitMounts(commit, writable)
  return [
    ...writable.flatMap(directory => protectedMounts(verb, directory, readOnly, isWritable)),
    ...ofCommit,
    // The work tree of a commit may be the home.
    ...(commit === undefined ? [] : hiddenCredentials(realPath(home) ?? home, [], [commit.top, ...writable])),
    ...hiddenHermes([...standing, ...ofCommit]),
    ...readable.filter(path => !isShown(path)).map((path): Mount => ({ kind: 'read', at: path, from: path })),
  ]
}

/** An empty directory in the place of the home. */
function homeMounts(home: string): Mount[] {
  if (home === '/') return []
  const real = realPath(home) ?? home
  const memory: Mount = { kind: 'memory', at: real, bytes: MEMORY_BYTES }
  return real === home ? [memory] : [memory, { kind: 'link', at: home, target: real }]
}
