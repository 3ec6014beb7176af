import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isNodeError, orNothing } from '../../0-contracts/src/index.js'
import { nameOfBytes } from '../../0-text/src/index.js'
import { commonDirectoryOf, gitDirectoryOf, textOf, topOf } from './git-places.js'

/** Mode of an entry that names a commit of another repository: a submodule, checked out or not. */
const GITLINK = 0o160000
const HEADER_BYTES = 12
/** Times, device, inode, mode, owner and size of a file. */
const STAT_BYTES = 40
const MODE_AT = 24
const LONG_NAME = 0xfff
const EXTENDED = 0x4000
/** The last version, in which a name says only how it differs from the one before. */
const PREFIXED = 4

/** Indexes that are made for a while are read once. */
const MOST_KNOWN = 100

/** By the file: what it named, and when that was read. */
const known = new Map<string, { state: string; links: readonly string[] | undefined }>()

/**
 * Where git looks for repositories of their own in the work tree that a directory is in, whatever is there now: git
 * enters them for its own `status`, `diff` and `add`. Absolute; `undefined` where the index cannot be read.
 */
export function gitlinksAround(directory: string): string[] | undefined {
  const top = topOf(directory)
  const own = top === undefined ? undefined : gitDirectoryOf(top)
  return top === undefined || own === undefined ? [] : gitlinksIn(join(own, 'index'))?.map(name => resolve(top, name))
}

/**
 * The entries of an index that name other repositories. Read from the file itself: git would take longer to start.
 *
 * @param gitDirectory git's own directory, where the index is a copy elsewhere
 * @returns names from the top of the work tree, with every byte; `undefined` where it cannot be read
 */
export function gitlinksIn(index: string, gitDirectory = dirname(index)): readonly string[] | undefined {
  const stat = orNothing(() => statSync(index, { bigint: true, throwIfNoEntry: false }) ?? 'nothing', undefined)
  if (stat === undefined || stat === 'nothing') return stat && []
  const state = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
  const before = known.get(index)
  if (before?.state === state) return before.links
  const links = read(index, gitDirectory)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(index, { state, links })
  return links
}

function read(index: string, gitDirectory: string): string[] | undefined {
  try {
    return linksOf(readFileSync(index), index, isSha256(gitDirectory) ? 32 : 20)
  } catch (error) {
    // Also where the other part is missing, and for an offset outside of a file that was cut short.
    if (isNodeError(error)) return undefined
    throw error
  }
}

function linksOf(bytes: Buffer, index: string, hashBytes: number): string[] | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)]
  if (version < 2 || version > PREFIXED) return undefined
  const links: string[] = []
  let name: Buffer = Buffer.alloc(0)
  let at = HEADER_BYTES
  for (let entry = 0; entry < count; entry++) {
    const isLink = bytes.readUInt32BE(at + MODE_AT) === GITLINK
    const flags = bytes.readUInt16BE(at + STAT_BYTES + hashBytes)
    const start = at
    at += STAT_BYTES + hashBytes + ((flags & EXTENDED) === 0 ? 2 : 4)
    if (version === PREFIXED) {
      const { value, next } = prefixLength(bytes, at)
      const end = bytes.indexOf(0, next)
      if (end === -1 || value > name.length) return undefined
      name = Buffer.concat([name.subarray(0, name.length - value), bytes.subarray(next, end)])
      at = end + 1
    } else {
      const length = flags & LONG_NAME
      const end = length === LONG_NAME ? bytes.indexOf(0, at) : at + length
      if (end < at || end > bytes.length) return undefined
      if (isLink) name = bytes.subarray(at, end)
      // Entries end with one to eight NUL bytes.
      at = start + ((end - start + 8) & ~7)
    }
    // Of an index in two parts, an entry that stands for one of the other part has no name.
    if (isLink && name.length === 0) return undefined
    if (isLink) links.push(nameOfBytes(name))
  }
  const shared = sharedIndex(bytes, at, hashBytes)
  if (shared === undefined) return links
  const others = linksOf(readFileSync(join(dirname(index), `sharedindex.${shared}`)), index, hashBytes)
  return others && [...new Set([...others, ...links])]
}

/** How much of the name before is not this one's, in seven bits a byte. */
function prefixLength(bytes: Buffer, from: number): { value: number; next: number } {
  let at = from
  let byte = bytes.readUInt8(at++)
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++)
    value = ((value + 1) << 7) | (byte & 0x7f)
  }
  return { value, next: at }
}

/** Hash of the other part of an index in two parts. */
function sharedIndex(bytes: Buffer, from: number, hashBytes: number): string | undefined {
  for (let at = from; at + 8 <= bytes.length - hashBytes;) {
    const size = bytes.readUInt32BE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'link') return bytes.toString('hex', at + 8, at + 8 + hashBytes)
    at += 8 + size
  }
  return undefined
}

function isSha256(gitDirectory: string): boolean {
  const config = join(commonDirectoryOf(gitDirectory), 'config')
  return /^[ \t]*(?:\[extensions\][ \t]*)?objectformat[ \t]*=[ \t]*"?sha256\b/im.test(textOf(config))
}
