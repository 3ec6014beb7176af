import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import { nameOfBytes } from '../../0-text/src/index.js'
import { commonDirectoryOf, gitDirectoryOf, textOf, topOf } from './git-places.js'

/** Mode of an index entry that names a commit of another repository: a submodule, checked out or not. */
const GITLINK = 0o160000
const HEADER_BYTES = 12
/** Bytes of times, device, inode, mode, owner and size of a file. */
const STAT_BYTES = 40
const MODE_AT = 24
const LONG_NAME = 0xfff
const EXTENDED = 0x4000
/** Index version in which a name only says how it differs from the previous one. */
const PREFIXED = 4

/** Most cached indexes, since temporary ones are read once. */
const MOST_KNOWN = 100

/** Cache by file: its gitlinks, and the state of the file when they were read. */
const known = new Map<string, { state: string; links: readonly string[] | undefined }>()

/**
 * Paths where git expects nested repositories in the work tree of a directory, whatever is there now: git enters them
 * in its own `status`, `diff` and `add`. Absolute; `undefined` where the index cannot be read.
 */
export function gitlinksAround(directory: string): string[] | undefined {
  const top = topOf(directory)
  const own = top === undefined ? undefined : gitDirectoryOf(top)
  return top === undefined || own === undefined ? [] : gitlinksIn(join(own, 'index'))?.map(name => resolve(top, name))
}

/**
 * Index entries that name other repositories. Parses the index itself, since starting git takes longer.
 *
 * @param gitDirectory git's directory, if the index is a copy elsewhere
 * @returns names relative to the top of the work tree, all bytes kept; `undefined` where the index cannot be read
 */
export function gitlinksIn(index: string, gitDirectory = dirname(index)): readonly string[] | undefined {
  const stat = orNothing(() => statSync(index, { bigint: true, throwIfNoEntry: false }) ?? 'nothing', undefined)
  if (stat === undefined || stat === 'nothing') return stat && []
  const state = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
  const before = known.get(index)
  if (before?.state === state) return before.links
  // Nothing also where the other part is missing, and for an offset outside of a file that was cut short.
  const links = orNothing(() => linksOf(readFileSync(index), index, isSha256(gitDirectory) ? 32 : 20), undefined)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(index, { state, links })
  return links
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
      // Entries are padded with one to eight NUL bytes.
      at = start + ((end - start + 8) & ~7)
    }
    // In a split index, an entry that replaces one of the shared part has no name.
    if (isLink && name.length === 0) return undefined
    if (isLink) links.push(nameOfBytes(name))
  }
  const shared = sharedIndex(bytes, at, hashBytes)
  if (shared === undefined) return links
  const others = linksOf(readFileSync(join(dirname(index), `sharedindex.${shared}`)), index, hashBytes)
  return others && [...new Set([...others, ...links])]
}

/** Number of bytes dropped from the previous name, in seven bits a byte. */
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

/** Hash of the shared part of a split index. */
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
