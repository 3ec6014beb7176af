import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ApprovedPath, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import {
  checkSignal, readText, approvePath, fileToWrite, missingPath, pathError, withinLimit,
} from '../../../2-files/src/index.js'
import { MATCH_TIERS, type MatchTier, applyHunks, createdText, type FilePatch } from '../../../1-edits/src/index.js'
import { hunksFailed } from './hunks-failed.js'
import type { PatchVerb, PlannedChange } from './planned-change.js'
import { refuseContradictions, SharedNames } from './shared-names.js'

/**
 * Plans what a patch does, without changing anything. If a file is named twice, its hunks apply one after the other.
 */
export class PatchPlanner {
  /** Contents that earlier parts of the patch produce. */
  readonly #contents = new Map<ApprovedPath, string>()
  /** Paths that earlier parts remove. */
  readonly #gone = new Set<ApprovedPath>()
  readonly #names = new SharedNames()

  constructor(private readonly verb: PatchVerb, private readonly context: VerbContext) {}

  /**
   * @returns the changes, ordered so that no change blocks another's name; `loosest`: the loosest match tier that any
   *   hunk needed
   */
  async plan(
    patches: readonly FilePatch[],
  ): Promise<{ changes: PlannedChange[]; errors: Map<FilePatch, unknown>; loosest: MatchTier | undefined }> {
    const errors = new Map<FilePatch, unknown>()
    let changes: PlannedChange[] = []
    for (const patch of patches) await this.#try(patch, errors, async () => changes.push(await this.#planOne(patch)))
    refuseContradictions(this.verb, changes, errors)
    for (let before = -1; before !== changes.length;) {
      before = changes.length
      this.#names.spread(this.verb, errors)
      changes = changes.filter(({ patch }) => !errors.has(patch))
      const leaving = namesThatGo(changes)
      for (const change of changes) await this.#try(change.patch, errors, () => this.#requireFree(change, leaving))
      changes = changes.filter(({ patch }) => !errors.has(patch))
    }
    writeOnce(changes)
    const loosest = MATCH_TIERS.findLast((tier) => changes.some(({ match }) => match === tier))
    return { changes: inOrder(changes), errors, loosest }
  }

  async #try(patch: FilePatch, errors: Map<FilePatch, unknown>, act: () => unknown): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      errors.set(patch, error)
    }
  }

  async #planOne(patch: FilePatch): Promise<PlannedChange> {
    switch (patch.kind) {
      case 'create': return this.#planCreation(patch)
      case 'delete': return this.#planDeletion(patch)
      case 'modify': return this.#planChange(patch)
      case 'rename':
      case 'copy': return this.#planMove(patch)
    }
  }

  #planCreation(patch: FilePatch): PlannedChange {
    const path = patch.newPath ?? ''
    const target = fileToWrite(this.verb, path, this.context)
    this.#names.note(patch, target)
    const content = createdText(patch)
    if (this.context.match !== 'exact' && this.#contentAt(target, path) === content) {
      return { patch, path, target, content: undefined, alreadyApplied: true }
    }
    this.#leave(target, content)
    return { patch, path, target, content }
  }

  async #planDeletion(patch: FilePatch): Promise<PlannedChange> {
    const path = this.#existing(patch)
    const target = approvePath(this.context.gate, this.verb, path, 'remove')
    this.#names.note(patch, target)
    const stat = this.context.files.lstat(target)
    if (stat === undefined) throw missingPath(this.verb, path, target, this.context)
    if (stat.kind === 'directory') throw pathError('EISDIR', this.verb, path, 'Patches delete files only.')
    // A V4A patch says of a deleted file only its name.
    if (this.verb === 'apply_patch') {
      this.#takeAway(target)
      return { patch, path, target, content: undefined }
    }
    const { content, match } = await this.#applied(patch, path, target)
    if (content !== '') {
      const message = `${this.verb}: ${path}: the patch deletes the file, but not all of its lines`
      throw new HermesError('TEXT_NOT_FOUND', message, {
        hint: 'The file has changed since the diff was made. Read it again, or delete it with file_delete.',
      })
    }
    this.#takeAway(target)
    return { patch, path, target, content: undefined, ...(match && { match }) }
  }

  async #planChange(patch: FilePatch): Promise<PlannedChange> {
    const path = this.#existing(patch)
    const target = fileToWrite(this.verb, path, this.context)
    this.#names.note(patch, target)
    const { content, match, alreadyApplied } = await this.#applied(patch, path, target)
    if (alreadyApplied) return { patch, path, target, content: undefined, ...(match && { match }), alreadyApplied }
    this.#leave(target, content)
    return { patch, path, target, content: patch.hunks.length > 0 ? content : undefined, ...(match && { match }) }
  }

  async #planMove(patch: FilePatch): Promise<PlannedChange> {
    const { gate } = this.context
    const [path, from] = [patch.newPath ?? '', this.#existing(patch)]
    const access = patch.kind === 'copy' ? 'read' : 'remove'
    const source = { path: from, target: approvePath(gate, this.verb, from, access) }
    if (patch.kind === 'rename') this.#names.note(patch, source.target)
    const stat = this.context.files.lstat(source.target)
    if (stat === undefined) throw missingPath(this.verb, from, source.target, this.context)
    if (stat.kind !== 'file') {
      throw new HermesError('INVALID_PARAMETER', `${this.verb}: ${from} is not a regular file`, {
        hint: 'Patches move and copy regular files only; file_move moves directories and links.',
      })
    }
    const target = fileToWrite(this.verb, path, this.context)
    this.#names.note(patch, target)
    if (patch.kind === 'rename') this.#takeAway(source.target)
    // A target name in use must be removed too; and files that swap names are written, not moved.
    const isWritten = patch.hunks.length > 0 || this.context.files.lstat(target) !== undefined
    if (!isWritten) return { patch, path, target, source, content: undefined }
    // Read the file as before the patch: a move does not depend on other parts.
    const { content, match } = await this.#applied(patch, from, approvePath(gate, this.verb, from, 'read'), false)
    this.#leave(target, content)
    return { patch, path, target, source, content, ...(match && { match }) }
  }

  #leave(target: ApprovedPath, content: string): void {
    this.#contents.set(target, content)
    this.#gone.delete(target)
  }

  #takeAway(target: ApprovedPath): void {
    this.#contents.delete(target)
    this.#gone.add(target)
  }

  async #applied(
    patch: FilePatch, path: string, target: ApprovedPath, afterOthers = true,
  ): Promise<{ content: string; match?: MatchTier; alreadyApplied?: true }> {
    const { signal } = this.context
    if (afterOthers && this.#gone.has(target)) throw missingPath(this.verb, path, target, this.context)
    const text = (afterOthers ? this.#contents.get(target) : undefined) ?? this.#read(path, target)
    if (patch.hunks.length === 0) return { content: text }
    const format = this.verb === 'apply_patch' ? 'v4a' : 'unified'
    const applied = await applyHunks(text, patch.hunks, {
      path, match: this.context.match ?? 'tolerant', format,
      async pause() {
        await nextTurn()
        checkSignal(signal)
      },
    })
    if (applied.text === undefined) throw hunksFailed(this.verb, path, applied.outcomes)
    const alreadyApplied = applied.outcomes.every((outcome) => outcome.alreadyApplied)
    return { content: applied.text, match: applied.match, ...(alreadyApplied && { alreadyApplied: true }) }
  }

  /** The path meant: the first of the old paths that exists. */
  #existing({ oldPaths }: FilePatch): string {
    const { gate, files } = this.context
    const [first = '', ...others] = oldPaths
    const isThere = (path: string) => {
      const target = approvePath(gate, this.verb, path, 'read')
      return this.#contents.has(target) || files.stat(target) !== undefined
    }
    return isThere(first) ? first : others.find(isThere) ?? first
  }

  #read(path: string, target: ApprovedPath): string {
    const { files, limits } = this.context
    const stat = files.stat(target)
    if (stat === undefined) throw missingPath(this.verb, path, target, this.context)
    if (stat.kind === 'directory') throw pathError('EISDIR', this.verb, path, 'Patches change files only.')
    return withinLimit(this.context, 'write', () => readText(files, target, limits.maxFileBytes, path))
  }

  #contentAt(target: ApprovedPath, path: string): string | undefined {
    const { files, limits } = this.context
    if (files.stat(target)?.kind !== 'file') return undefined
    return readText(files, target, limits.maxFileBytes, path)
  }

  /** @throws HermesError `EEXIST` where a new file would replace one that stays */
  #requireFree({ patch, path, target, alreadyApplied }: PlannedChange, leaving: ReadonlySet<ApprovedPath>): void {
    if (patch.kind === 'modify' || patch.kind === 'delete' || alreadyApplied) return
    if ((leaving.has(target) && patch.kind !== 'copy') || this.context.files.lstat(target) === undefined) return
    throw pathError('EEXIST', this.verb, path, patch.kind === 'create'
      ? 'The file is there already: write hunks that change it, or replace it whole with file_write.'
      : 'A file is there already: delete it first, or choose another name.')
  }
}

/** Of several parts that change one file, leaves the write, with the final content, to one. */
function writeOnce(changes: readonly PlannedChange[]): void {
  const writers = new Map<ApprovedPath, PlannedChange>()
  for (const change of changes) {
    if (change.patch.kind === 'delete' || change.content === undefined) continue
    const writer = writers.get(change.target)
    if (writer === undefined) writers.set(change.target, change)
    else {
      writer.content = change.content
      change.content = undefined
    }
  }
}

function namesThatGo(changes: readonly PlannedChange[]): ReadonlySet<ApprovedPath> {
  return new Set(changes.flatMap(({ patch, target, source }) => {
    if (patch.kind === 'delete') return [target]
    return patch.kind === 'rename' && source !== undefined ? [source.target] : []
  }))
}

/**
 * Orders changes: copies first, while their sources are unchanged; then deletions and moves that free names, each move
 * after what stands in its way; then writes.
 */
function inOrder(changes: readonly PlannedChange[]): PlannedChange[] {
  const ofKind = (kind: FilePatch['kind']) => changes.filter(({ patch }) => patch.kind === kind)
  const moves = ofKind('rename')
  const ordered: PlannedChange[] = []
  while (moves.length > 0) {
    const free = moves.findIndex(({ target }) => !moves.some(({ source }) => source?.target === target))
    // Only files that swap names are left: `makeChange` writes them.
    ordered.push(...moves.splice(Math.max(free, 0), 1))
  }
  const writes = changes.filter(({ patch }) => patch.kind === 'modify' || patch.kind === 'create')
  return [...ofKind('copy'), ...ofKind('delete'), ...ordered, ...writes]
}
