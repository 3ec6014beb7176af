import { closeSync, opendirSync, openSync, readlinkSync, readSync, statfsSync, statSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'
import { readIfThere } from './process-table.js'

/** Remaining budget of one measurement. */
interface Left {
  descriptors: number
  text: number
}

/** Of an unnamed file: the bytes that count, and the end of its last mapping within it. */
interface Part {
  bytes: number
  end: number
}

const PIECE_BYTES = 2 ** 16
/** Linux's number for this kind of file system. */
const TMPFS = 0x01021994
/** Up to this much shared memory of a process, in bytes, the slow check of who shares it (milliseconds) is skipped. */
const LITTLE_BYTES = 2 ** 20
/**
 * Budget of one measurement, since a command can make it expensive: descriptors, and bytes of `smaps`. Beyond it, files
 * that are only open do not count, and shared memory counts for each process.
 */
const MOST_DESCRIPTORS = 5000
const MOST_TEXT_BYTES = 2 ** 22
/** The kernel's names for files in memory without a directory entry: `memfd_create`, System V, shared mappings. */
const NAMELESS = /^\/(?:memfd:|SYSV|dev\/zero \(deleted\))/
/** One mapping in `smaps`: addresses, offset in its file, inode and name; then its sizes in KiB. */
const MAPPING = /^([\da-f]+)-([\da-f]+) \S+ ([\da-f]+) \S+ (\d+) +(\/.*)$|^(Pss|Anonymous): +(\d+) kB$/gm

/**
 * Total memory of processes in bytes: what each has of its own, plus once what they share (shared mappings, open or
 * mapped files of `memfd_create`), plus files in memory-backed directories. Mapped files of a disk do not count, nor
 * what is invisible from outside: an unattached System V segment, an open file on its way through a socket. Linux only.
 *
 * @param inMemory directories as these processes see them, where their mounts differ from hermes'
 */
export function memoryOf(pids: readonly number[], inMemory: readonly string[] = []): number {
  const before = pids.filter(holdsMemory)
  const bytes = count(before, inMemory)
  const after = before.filter(holdsMemory)
  // If a process ended meanwhile, its shared memory was counted with it and with others; count again.
  return after.length === before.length ? bytes : count(after, inMemory)
}

/** False for a process that has ended, and for a zombie. */
function holdsMemory(pid: number): boolean {
  return readIfThere(pid, 'status').includes('RssAnon:')
}

function count(pids: readonly number[], inMemory: readonly string[]): number {
  let bytes = filesIn(pids, inMemory)
  const shared = new Map<string, Part>()
  const left = { descriptors: MOST_DESCRIPTORS, text: MOST_TEXT_BYTES }
  const opened = pids.flatMap(pid => openedInMemory(pid, left))
  for (const pid of pids) {
    const status = readIfThere(pid, 'status')
    bytes += field(status, 'RssAnon')
    const mapped = field(status, 'RssShmem')
    const parts = mapped <= LITTLE_BYTES ? undefined : mappedInMemory(pid, left)
    // A process that ended meanwhile has no memory; what it shared counts with the others.
    if (parts === undefined) bytes += holdsMemory(pid) ? mapped : 0
    else for (const [inode, part] of parts) add(shared, inode, part)
  }
  for (const [inode, size] of opened) add(shared, inode, { bytes: size - (shared.get(inode)?.bytes ?? 0), end: size })
  // Mappings change while processes are examined, so that the parts may add up to more than the file has.
  return [...shared.values()].reduce((sum, part) => sum + Math.min(part.bytes, part.end), bytes)
}

function add(parts: Map<string, Part>, inode: string, { bytes, end }: Part): void {
  const before = parts.get(inode) ?? { bytes: 0, end: 0 }
  parts.set(inode, { bytes: before.bytes + Math.max(0, bytes), end: Math.max(before.end, end) })
}

/** Unnamed files that a process has open; if they are not mapped, only this reveals them. */
function openedInMemory(pid: number, left: Left): [inode: string, bytes: number][] {
  const descriptors: string[] = []
  orNothing(() => {
    const directory = opendirSync(`/proc/${pid}/fd`)
    try {
      for (let entry = directory.readSync(); entry !== null && left.descriptors > 0; entry = directory.readSync()) {
        left.descriptors--
        descriptors.push(entry.name)
      }
    } finally {
      directory.closeSync()
    }
  }, undefined)
  return descriptors.flatMap((descriptor) => {
    const path = `/proc/${pid}/fd/${descriptor}`
    if (!NAMELESS.test(orNothing(() => readlinkSync(path), ''))) return []
    const stat = orNothing(() => statSync(path), undefined)
    return stat === undefined ? [] : [[String(stat.ino), stat.blocks * 512]]
  })
}

/**
 * Unnamed files that a process has mapped, each with its share of the memory; `undefined` where the budget does not
 * suffice.
 */
function mappedInMemory(pid: number, left: Left): Map<string, Part> | undefined {
  const text = mappingsOf(pid, left)
  if (text === undefined) return undefined
  const parts = new Map<string, Part>()
  let [inode, end, part] = ['', 0, 0]
  for (const [, from = '', to = '', offset = '', number, name = '', kind, kibibytes] of text.matchAll(MAPPING)) {
    if (number !== undefined) {
      inode = NAMELESS.test(name) ? number : ''
      end = parseInt(offset, 16) + parseInt(to, 16) - parseInt(from, 16)
    } else if (inode !== '' && kind === 'Pss') part = Number(kibibytes) * 1024
    // Private changes of a mapping count as the process's own memory.
    else if (inode !== '') add(parts, inode, { bytes: part - Number(kibibytes) * 1024, end })
  }
  return parts
}

function mappingsOf(pid: number, left: Left): string | undefined {
  return orNothing(() => {
    const descriptor = openSync(`/proc/${pid}/smaps`, 'r')
    try {
      const pieces: Buffer[] = []
      while (left.text > 0) {
        const piece = Buffer.allocUnsafe(PIECE_BYTES)
        const length = readSync(descriptor, piece)
        if (length === 0) return Buffer.concat(pieces).toString('latin1')
        pieces.push(piece.subarray(0, length))
        left.text -= length
      }
      return undefined
    } finally {
      closeSync(descriptor)
    }
  }, undefined)
}

/** Bytes of files in memory-backed directories that are mounted for these processes but not for hermes. */
function filesIn(pids: readonly number[], places: readonly string[]): number {
  if (places.length === 0) return 0
  const used = new Map<number, number>()
  for (const pid of oneForEachView(pids)) {
    for (const place of places) {
      const path = `/proc/${pid}/root${place}`
      const device = deviceOf(path)
      // Until a sandbox has mounts of its own, its first process sees those of the machine.
      if (device === undefined || used.has(device) || device === deviceOf(place)) continue
      const disk = orNothing(() => statfsSync(path), undefined)
      if (disk?.type === TMPFS) used.set(device, (disk.blocks - disk.bfree) * disk.bsize)
    }
  }
  return [...used.values()].reduce((sum, bytes) => sum + bytes, 0)
}

/** One process of each group with the same mounts. */
function oneForEachView(pids: readonly number[]): Iterable<number> {
  const mountsOf = (pid: number | 'self') => orNothing(() => readlinkSync(`/proc/${pid}/ns/mnt`), '')
  const views = new Map(pids.map(pid => [mountsOf(pid), pid]))
  for (const passedOver of ['', mountsOf('self')]) views.delete(passedOver)
  return views.values()
}

function deviceOf(path: string): number | undefined {
  return orNothing(() => statSync(path).dev, undefined)
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
}
