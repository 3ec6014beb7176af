import { HermesError, type FileStat, type PathProbe } from '../../../0-contracts/src/index.js'
import { fileError } from '../../../2-files/src/index.js'
import { SftpStatus, type Looked } from './sftp-answers.js'
import type { Attributes } from './packets.js'
import { act } from './remote-errors.js'
import type { SftpClient } from './sftp-client.js'

/** What a mode says of the kind of a file. */
const KIND = { mask: 0o170000, file: 0o100000, directory: 0o040000, link: 0o120000 }
const BITS = 0o777

/**
 * For the gate: what is below the root there, links as they are. The root itself is known. All names of a path are
 * asked for at once.
 */
export function remoteProbe(client: SftpClient, root: string): PathProbe {
  const ahead = new Map<string, Looked>()
  return (path, below = []) => {
    if (path === root || root.startsWith(path === '/' ? path : `${path}/`)) return { kind: 'directory' }
    if (!ahead.has(path)) {
      ahead.clear()
      const paths = namesBelow(path, below)
      client.lookAt(paths).forEach((looked, index) => ahead.set(paths[index] ?? '', looked))
    }
    const looked = ahead.get(path)
    // Once: the next who asks is to know how it is then.
    ahead.delete(path)
    const attributes = act('lstat', path, () => foundIn(looked))
    if (!attributes) return undefined
    const { kind } = toStat(attributes)
    return kind === 'link' ? { kind, target: act('readlink', path, () => client.readlink(path)) } : { kind }
  }
}

/** The path, and those of the names that follow as far as they are plain. */
function namesBelow(path: string, below: readonly string[]): string[] {
  const paths = [path]
  for (const name of below.toReversed()) {
    if (name === '' || name === '.' || name === '..') break
    paths.push(`${paths.at(-1)}/${name}`)
  }
  return paths
}

function foundIn(looked: Looked | undefined): Attributes | undefined {
  if (looked instanceof SftpStatus) throw looked
  return looked
}

export function lstatAt(client: SftpClient, path: string): Attributes | undefined {
  return act('lstat', path, () => client.lstat(path))
}

export function toStat({ mode = 0, size = 0, mtime = 0 }: Attributes): FileStat {
  const kind = mode & KIND.mask
  return {
    kind: kind === KIND.file ? 'file' : kind === KIND.directory ? 'directory' : kind === KIND.link ? 'link' : 'other',
    // The protocol tells neither parts of a second nor how many names a file has.
    size, mtimeMs: mtime * 1000, links: 1,
  }
}

/** As far as the protocol tells: a change within the same second that leaves the size is not seen. */
export function stampOf({ size, mtime }: Attributes): string {
  return `${size} ${mtime}`
}

export function bitsOf({ mode }: Attributes): number | undefined {
  return mode === undefined ? undefined : mode & BITS
}

/** @throws as `requireRegular` of the disk */
export function requireRegular(attributes: Attributes, syscall: string, path: string): void {
  const { kind } = toStat(attributes)
  if (kind === 'file') return
  if (kind === 'directory') throw fileError('EISDIR', syscall, path)
  if (kind === 'link') throw fileError('ELOOP', syscall, path)
  throw new HermesError('NOT_TEXT', `Not a regular file: ${path}`, {
    hint: 'It is a device, a pipe or a socket; only regular files can be read and written.',
  })
}
