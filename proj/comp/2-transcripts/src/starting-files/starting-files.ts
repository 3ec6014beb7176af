import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { lstatSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import {
  HermesError, isNodeError, orNothing, type ApprovedPath, type DirectoryEntry, type PathAccess, type PathGate,
  type Touch,
} from '../../../0-contracts/src/index.js'
import type { Masker } from '../../../0-text/src/index.js'
import {
  approveEntryIfAllowed, DiskFiles, diskPath, IgnoreRules, isInside, readLink, readNames, rulesAbove,
} from '../../../2-files/src/index.js'
import { MOST_ALL_BYTES, MOST_FILE_BYTES, MOST_PATHS, type KeptContent, type StartingPath } from './starting-model.js'

/** Stores the states of files. */
export interface StartingSink {
  /** Lengths in bytes of stored contents, by SHA-256 in hex. */
  readonly kept: Map<string, number>
  content(sha256: string, content: KeptContent): void
  path(startingPath: StartingPath): void
}

/** Beginning of a recording; and the longest file to test for that, in bytes. */
const RECORDING = Buffer.from('{"type":"run","version":')
const MOST_RECORDING_BYTES = 64 << 20
/** Most links in a row, as in Linux. */
const MOST_LINKS = 40

/**
 * How completely a path has been recorded. `deep`: with everything below it; `whole`: completely; `shown`: with the
 * names in it; `open`: paths below may follow; `listed`: its content may follow.
 */
type Settled = 'deep' | 'whole' | 'shown' | 'open' | 'listed'

/**
 * Records the state of files before a run first uses them. A path is recorded when a block is about to use it; before a
 * program runs, whose reads are unknown, the whole root is recorded.
 */
export class StartingFiles {
  readonly #root: string
  readonly #aliases: readonly string[]
  readonly #masker: Masker
  readonly #sink: StartingSink
  readonly #files = new DiskFiles()
  readonly #settled = new Map<string, Settled>()
  /** Size of all stored contents, in bytes. */
  #held: number
  /** A program has run, so present files no longer show the state before. */
  #isSealed = false
  #isLooking = false
  #isFull = false

  /** @param root absolute, links resolved */
  constructor({ root, aliases, masker, sink }: {
    root: string; aliases: readonly string[]; masker: Masker; sink: StartingSink
  }) {
    this.#root = root
    this.#aliases = aliases
    this.#masker = masker
    this.#sink = sink
    this.#held = [...sink.kept.values()].reduce((sum, size) => sum + size, 0)
  }

  touch(touch: Touch): void {
    // Examining a directory consults the gate, which calls this again.
    if (this.#isSealed || this.#isLooking) return
    this.#isLooking = true
    try {
      if (touch.kind === 'all') {
        this.#isSealed = true
        this.#tree(this.#root, touch.gate)
        return
      }
      this.#links(touch.written)
      if (touch.kind === 'path') this.#look(touch.path, touch.access, touch.gate)
    } finally {
      this.#isLooking = false
    }
  }

  /** Records links on the way of a path as written; the approved path has none. */
  #links(written: string): void {
    const alias = this.#aliases.find((each) => written === each || written.startsWith(`${each.replace(/\/$/, '')}/`))
    const full = alias === undefined ? resolve(this.#root, written) : join(this.#root, written.slice(alias.length))
    if (!isInside(this.#root, full)) return
    let at = this.#root
    const names = namesOf(relative(this.#root, full))
    for (let links = 0; names.length > 0 && links < MOST_LINKS;) {
      at = join(at, names.shift() ?? '')
      if (!isInside(this.#root, at)) return
      const stats = statsOf(at)
      // Paths below a file are refused, so the file itself matters.
      const isInTheWay = stats?.isFile() === true && names.length > 0
      if (isInTheWay && !this.#isSettled(at, true)) this.#tell(fileAt(at, stats), 'listed')
      if (stats?.isSymbolicLink() !== true) continue
      links++
      if (!this.#isSettled(at)) this.#link(at, stats)
      const leads = resolve(dirname(at), readLink(at))
      if (!isInside(this.#root, leads)) return
      names.unshift(...namesOf(relative(this.#root, leads)))
      at = this.#root
    }
  }

  #look(path: ApprovedPath, access: PathAccess, gate: PathGate): void {
    if (!isInside(this.#root, path)) {
      if (!this.#settled.has(path)) this.#tell({ path, kind: 'other', left: 'is outside of the root' }, 'deep')
      return
    }
    const stats = statsOf(path)
    if (stats?.isDirectory() === true) return this.#directory(path, access, gate)
    const isListed = access === 'list'
    if (this.#isSettled(path, isListed)) return
    if (!stats) this.#absent(path)
    else if (stats.isSymbolicLink()) this.#link(path, stats)
    else if (isListed && stats.isFile()) this.#tell(fileAt(path, stats), 'listed')
    else this.#file(path, stats)
  }

  /** Records a directory: with all its content if it is removed or moved, otherwise only its names. */
  #directory(path: ApprovedPath, access: PathAccess, gate: PathGate): void {
    if (this.#isSettled(path)) return
    if (access === 'remove' || access === 'show') return this.#tree(path, gate)
    const stats = statsOf(path)
    if (!stats || this.#settled.get(path) === 'shown') return
    this.#tell({ path, kind: 'directory', mode: modeOf(stats), listed: true }, 'shown')
    for (const { name } of entriesOf(path) ?? []) {
      const at = join(path, name)
      if (this.#isSettled(at, true) || approveEntryIfAllowed(gate, path, name, 'list') === undefined) continue
      const entry = statsOf(at)
      if (entry?.isSymbolicLink() === true) this.#link(at, entry)
      else if (entry) this.#tell(fileAt(at, entry), entry.isFile() ? 'listed' : 'open')
    }
  }

  #isSettled(path: string, isListed = false): boolean {
    const own = this.#settled.get(path)
    if (own !== undefined) return own === 'deep' || own === 'whole' || isListed
    for (let at = dirname(path); isInside(this.#root, at); at = dirname(at)) {
      const above = this.#settled.get(at)
      if (above !== undefined) return above === 'deep'
      if (at === this.#root) break
    }
    return false
  }

  /** Records a missing path, and missing parents that will be created. */
  #absent(path: string): void {
    let top = path
    while (top !== this.#root && !statsOf(dirname(top))) top = dirname(top)
    this.#tell({ path: top, kind: 'absent' }, 'deep')
  }

  #tree(directory: string, gate: PathGate): void {
    const start = directory as ApprovedPath
    this.#below(start, gate, rulesAbove(start, { gate, files: this.#files }))
  }

  #below(directory: ApprovedPath, gate: PathGate, above: IgnoreRules | undefined): void {
    const stats = statsOf(directory)
    const entries = entriesOf(directory)
    if (!stats || !entries) {
      this.#tell({ path: directory, kind: 'directory', left: 'cannot be read' }, 'deep')
      return
    }
    this.#tell({ path: directory, kind: 'directory', mode: modeOf(stats), listed: true }, 'deep')
    const rules = new IgnoreRules(directory, entries, above, { gate, files: this.#files })
    for (const { name } of entries) {
      const path = join(directory, name)
      const own = this.#settled.get(path)
      // A partly recorded directory is recorded completely.
      if (own === 'deep' || own === 'whole' || name === '.hermes') continue
      if (name === '.git') this.#tell({ path, kind: 'other', left: 'belongs to git' }, 'deep')
      else this.#entry(directory, name, gate, rules)
      if (this.#isFull) return
    }
  }

  #entry(directory: ApprovedPath, name: string, gate: PathGate, rules: IgnoreRules): void {
    const path = join(directory, name)
    const stats = statsOf(path)
    if (!stats) return
    if (stats.isSymbolicLink()) this.#link(path, stats)
    else if (rules.ignores(path, stats.isDirectory())) {
      const kind = stats.isDirectory() ? 'directory' : 'file'
      this.#tell({ path, kind, mode: modeOf(stats), size: stats.size, left: 'is ignored' }, 'open')
    } else {
      const approved = approveEntryIfAllowed(gate, directory, name, 'read')
      if (approved === undefined) this.#closed(directory, name, gate, stats)
      else if (stats.isDirectory()) this.#below(approved, gate, rules)
      else this.#file(approved, stats)
    }
  }

  /** Records an entry that is never listed, so that a replay does not create it. */
  #closed(directory: ApprovedPath, name: string, gate: PathGate, stats: Stats): void {
    const path = join(directory, name)
    const isListed = approveEntryIfAllowed(gate, directory, name, 'list') !== undefined
    this.#tell({ ...fileAt(path, stats), ...(!isListed && { kind: 'other' }), left: 'is closed to models' }, 'deep')
  }

  #link(path: string, stats: Stats): void {
    if (this.#settled.has(path)) return
    const target = readLink(path)
    const leads = resolve(dirname(path), target)
    const left = isInside(this.#root, leads) ? {} : { left: 'is outside of the root' as const }
    const within = isAbsolute(target) || /[^./]\/+\.\./.test(target)
      ? relative(dirname(path), leads) || '.' : target
    this.#tell({ path, kind: 'link', mode: modeOf(stats), ...(left.left ? left : { target: within }) }, 'whole')
  }

  #file(path: ApprovedPath, stats: Stats): void {
    const file = fileAt(path, stats)
    if (!stats.isFile()) return this.#tell({ path, kind: 'other', left: 'is no regular file' }, 'whole')
    const isLarge = stats.size > MOST_FILE_BYTES
    if (isLarge && !path.endsWith('.jsonl')) return this.#tell({ ...file, left: 'is too large' }, 'whole')
    try {
      const bytes = Buffer.from(this.#files.readBytes(path, MOST_RECORDING_BYTES))
      // Recordings that contain each other would grow without bound: only record name and size.
      if (bytes.subarray(0, RECORDING.length).equals(RECORDING)) return this.#tell(file, 'whole')
      if (isLarge) return this.#tell({ ...file, left: 'is too large' }, 'whole')
      const kept = this.#keep(bytes)
      this.#tell({ ...file, size: bytes.length, ...(typeof kept === 'string' ? { sha256: kept } : kept) }, 'whole')
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      this.#tell({ ...file, left: 'cannot be read' }, 'whole')
    }
  }

  /** @returns its SHA-256, or why it is not stored */
  #keep(bytes: Buffer): string | Pick<StartingPath, 'left'> {
    const isText = isUtf8(bytes) && !bytes.includes(0)
    const text = bytes.toString(isText ? 'utf8' : 'latin1')
    // Without its zero bytes, UTF-16 in either byte order reveals its ASCII text, and so its secrets.
    if (this.#holdsSecret(text) || (!isText && this.#holdsSecret(text.replaceAll('\0', '')))) {
      return { left: 'holds a secret' }
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const { kept } = this.#sink
    if (kept.has(sha256)) return sha256
    if (this.#held + bytes.length > MOST_ALL_BYTES) return { left: 'is over the limit of all files' }
    kept.set(sha256, bytes.length)
    this.#held += bytes.length
    this.#sink.content(sha256, isText ? { text } : { base64: bytes.toString('base64') })
    return sha256
  }

  #holdsSecret(text: string): boolean {
    return this.#masker.text(text) !== text
  }

  /** @param start with an absolute path */
  #tell(start: StartingPath, settled: Settled): void {
    if (this.#isFull) return
    this.#settled.set(start.path, settled)
    this.#isFull = this.#settled.size > MOST_PATHS
    const isWithin = isInside(this.#root, start.path)
    const path = isWithin ? relative(this.#root, start.path).split(sep).join('/') : start.path
    this.#sink.path(this.#isFull ? { path: '', kind: 'other', left: 'is one path too many' } : { ...start, path })
  }
}

function namesOf(below: string): string[] {
  return below.split(sep).filter((name) => name !== '')
}

function fileAt(path: string, stats: Stats): StartingPath {
  if (stats.isFile()) return { path, kind: 'file', mode: modeOf(stats), size: stats.size }
  return { path, kind: stats.isDirectory() ? 'directory' : 'other', mode: modeOf(stats) }
}

function modeOf(stats: Stats): number {
  return stats.mode & 0o777
}

/** `undefined` where it cannot be examined; then verbs cannot either. */
function statsOf(path: string): Stats | undefined {
  return orNothing(() => lstatSync(diskPath(path), { throwIfNoEntry: false }), undefined)
}

function entriesOf(directory: string): DirectoryEntry[] | undefined {
  return orNothing(() => readNames(directory)
    .map((entry): DirectoryEntry => ({
      name: entry.name,
      kind: entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : entry.isFile() ? 'file' : 'other',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)), undefined)
}
