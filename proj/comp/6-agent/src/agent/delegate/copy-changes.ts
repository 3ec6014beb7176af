import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, type BigIntStats } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  caught, HermesError, isNodeError, unlessCode, type DelegateCall, type DelegatedChange, type DelegateProposal,
  type PathAccess,
} from '../../../../0-contracts/src/index.js'
import { shownName } from '../../../../0-text/src/index.js'
import {
  checkSignal, createPathGate, decodeUtf8, DiskFiles, diskPath, isExecutable,
} from '../../../../2-files/src/index.js'
import { diffOf } from './changes-diff.js'
import { asOriginal } from './shown-paths.js'
import { belowLinks, placeOf, walkedNames } from './tree-listing.js'
import { stampOf, type WorkCopy } from './work-copy.js'

/** Most files and bytes that are proposed at once: they are kept in memory. */
const MOST_CHANGES = 2000
const MOST_BYTES = 32 * 1024 * 1024
/** Files between two turns of the event loop. */
const FILES_A_TURN = 200
/** Lines on what is left out. */
const MOST_TOLD = 20

/**
 * What differs in a copy from what was copied, as far as it may be taken over: plain files with names in UTF-8, which
 * the gate of whoever gave the task lets be written.
 *
 * @param call of the original
 */
export async function proposalOf(copy: WorkCopy, call: DelegateCall): Promise<DelegateProposal> {
  const collected = new Collected(copy, call)
  for (const [index, name] of (await namesIn(copy, call)).entries()) {
    if (index % FILES_A_TURN === 0) {
      await nextTurn()
      checkSignal(call.signal)
    }
    collected.look(name)
  }
  const changes = withMoves(collected.changes)
  const bytes = changes.reduce((sum, change) => sum + collected.bytesOf(change), 0)
  if (changes.length > MOST_CHANGES || bytes > MOST_BYTES) {
    const size = `${changes.length} files, ${Math.ceil(bytes / 1024 ** 2)} MiB`
    const most = `${MOST_CHANGES} files and ${MOST_BYTES / 1024 ** 2} MiB`
    return { changes: [], diff: '', leftOut: [`All of it: ${size} changed, of ${most} at most`] }
  }
  const whole = changes.map((change) => collected.whole(change))
  return { changes: whole, diff: await diffOf(whole, copy, call), leftOut: collected.leftOut }
}

/** All that was copied, and what is new and neither ignored nor filled by tools. */
async function namesIn({ root, files, links }: WorkCopy, { signal }: DelegateCall): Promise<string[]> {
  // What its own ignore files say counts; what the policy closes is told of, not passed over.
  const gate = createPathGate({ root, forUser: true })
  const now = await walkedNames(root, { gate, files: new DiskFiles(), signal })
  return [...new Set([...files.keys(), ...links, ...now])].sort()
}

class Collected {
  readonly changes: DelegatedChange[] = []
  readonly #leftOut: string[] = []
  /** Sizes of files that were copied: a file of another size is none of them moved. */
  readonly #sizes: ReadonlySet<number>
  /** Of contents that are kept. */
  #bytes = 0
  /** Bytes of contents that are not kept, as there are too many already. */
  readonly #unkept = new Map<DelegatedChange, number>()
  /** In the copy, and where it was made of. */
  readonly #areBelowLinks: readonly ((name: string) => boolean)[]

  constructor(private readonly copy: WorkCopy, private readonly call: DelegateCall) {
    this.#areBelowLinks = [copy.root, copy.original].map(belowLinks)
    this.#sizes = new Set([...copy.files.values()].map(({ size }) => size))
  }

  /** With the content, where that was not kept: moves took so much away that there is room for it. */
  whole(change: DelegatedChange): DelegatedChange {
    if (!change.after || !this.#unkept.has(change)) return change
    const content = this.#read(change.path)
    return { ...change, after: { ...change.after, sha256: sha256Of(content) }, content }
  }

  #read(name: string): Uint8Array {
    return withoutCopy(readFileSync(diskPath(placeOf(this.copy.root, name))), this.copy)
  }

  bytesOf(change: DelegatedChange): number {
    return change.content?.length ?? this.#unkept.get(change) ?? 0
  }

  get leftOut(): string[] {
    const more = this.#leftOut.length - MOST_TOLD
    return more > 0 ? [...this.#leftOut.slice(0, MOST_TOLD), `… and ${more} more`] : this.#leftOut
  }

  look(name: string): void {
    caught(isNodeError, () => this.#look(name), ({ code }) => this.#leaveOut(name, `it cannot be read (${code})`))
  }

  #look(name: string): void {
    const { root, files, links } = this.copy
    const place = placeOf(root, name)
    // Commands may have put a link in the place of a folder: what it leads to is none of the copy, and not read.
    if (this.#areBelowLinks.some((isBelowLink) => isBelowLink(name))) {
      this.#leaveOut(name, 'a folder above it is a link')
      return
    }
    const stat = statOf(place)
    const before = files.get(name)
    if (links.has(name)) {
      if (!stat?.isSymbolicLink()) this.#leaveOut(name, 'it was a link')
      return
    }
    if (!stat) {
      if (before) this.#add({ kind: 'delete', path: name, before: stateOf(before) }, 'remove')
      return
    }
    if (!stat.isFile()) {
      // In the place of a file: the rest of a directory is found by itself.
      const why = stat.isSymbolicLink() ? 'it is a link' : 'it is no file'
      if (before || !stat.isDirectory()) this.#leaveOut(name, why)
      return
    }
    if (before?.stamp === stampOf(stat)) return
    const size = Number(stat.size)
    const executable = isExecutable(Number(stat.mode))
    // Of what is too much anyway nothing is read that could be more than what was copied.
    const change = before ? { kind: 'modify' as const, path: name, before: stateOf(before) }
      : { kind: 'create' as const, path: name }
    if (this.#isFull(size) && !this.#sizes.has(size)) {
      this.#add({ ...change, after: { sha256: '', executable } }, 'write', size)
      return
    }
    const content = this.#read(name)
    const after = { sha256: sha256Of(content), executable }
    if (after.sha256 !== before?.sha256) this.#add({ ...change, after, content }, 'write')
    else if (executable !== before.executable) this.#add({ ...change, after }, 'write')
  }

  /** @param unread bytes of its content, where that was not read */
  #add({ content, ...change }: DelegatedChange, access: PathAccess, unread?: number): void {
    const { maxFileBytes } = this.call.limits
    // Nothing would compare it, or put it back.
    if ((this.copy.files.get(change.path)?.size ?? 0) > maxFileBytes) {
      this.#leaveOut(change.path, `it was larger than a file may be (${maxFileBytes} bytes)`)
      return
    }
    try {
      this.call.gate.approve(placeOf(this.copy.original, change.path), access)
      const bytes = unread ?? content?.length ?? 0
      const isKept = content !== undefined && !this.#isFull(bytes)
      const added = isKept ? { ...change, content } : change
      if (isKept) this.#bytes += bytes
      else if (bytes > 0) this.#unkept.set(added, bytes)
      this.changes.push(added)
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      this.#leaveOut(change.path, error.message)
    }
  }

  /** Whether so many bytes more, or any change more, are too much: of two changes one move is made at most. */
  #isFull(bytes: number): boolean {
    return this.#bytes + bytes > MOST_BYTES || this.changes.length > 2 * MOST_CHANGES
  }

  #leaveOut(name: string, why: string): void {
    this.#leftOut.push(`${shownName(name)}: ${why}`)
  }
}

/** Where a program wrote where it works, it is where it would have been: the copy is gone soon. */
function withoutCopy(bytes: Uint8Array, copy: WorkCopy): Uint8Array {
  const isNamed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(copy.root)
  const text = isNamed ? decodeUtf8(bytes) : undefined
  return text === undefined ? bytes : Buffer.from(asOriginal(copy)(text))
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function stateOf({ sha256, executable }: { sha256: string; executable: boolean }) {
  return { sha256, executable }
}

/** What is at a place of the copy now; `undefined` for nothing, also below something that is no directory. */
function statOf(place: string): BigIntStats | undefined {
  return unlessCode(['ENOTDIR'], () => lstatSync(diskPath(place), { bigint: true, throwIfNoEntry: false }), undefined)
}

/** A file that is gone here and there with the same content was moved. */
function withMoves(changes: readonly DelegatedChange[]): DelegatedChange[] {
  const gone = changes.filter(({ kind }) => kind === 'delete')
  const moves = new Map<DelegatedChange, DelegatedChange>()
  for (const change of changes) {
    if (change.kind !== 'create' || change.content?.length === 0) continue
    const at = gone.findIndex(({ before }) => (
      before?.sha256 === change.after?.sha256 && before?.executable === change.after?.executable
    ))
    const [source] = at < 0 ? [] : gone.splice(at, 1)
    if (source) moves.set(change, source)
  }
  const moved = new Set(moves.values())
  return changes.filter((change) => !moved.has(change)).map((change): DelegatedChange => {
    const source = moves.get(change)
    if (!source?.before || !change.after) return change
    return { kind: 'move', path: change.path, from: source.path, before: source.before, after: change.after }
  })
}
