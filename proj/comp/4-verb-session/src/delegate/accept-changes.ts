import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovedPath, caught, type DelegatedChange, type DelegatedState, HermesError, isNodeError, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { listed, shownName } from '../../../0-text/src/index.js'
import { diskPath, formatNodeError, isExecutable, leadsThroughLink, withParents } from '../../../2-files/src/index.js'

const VERB = 'delegate_accept'

interface Planned {
  change: DelegatedChange
  /** A link is where a file or a folder above it was, or nothing: it was not copied so. */
  isLinked: boolean
  target: ApprovedPath
  /** Of a move. */
  source?: ApprovedPath
  /** Of what is replaced or removed, to put it back. */
  old?: Uint8Array
}

/**
 * Makes all of the changes, or none: every path is approved and every file compared with what was copied before the
 * first is written, and what fails half-way is put back.
 *
 * @returns the bytes written; `isDone`: all was so already
 * @throws HermesError `CHANGED_ON_DISK` for a file that was changed since it was copied, `EISDIR` where a folder is in
 * the place of a new one; as the gate and the store
 */
export async function acceptChanges(
  changes: readonly DelegatedChange[], context: VerbContext,
): Promise<{ bytes: number; isDone: boolean }> {
  const plan = changes.map((change) => approved(change, context))
  if (plan.every((each) => isDone(each, context))) return { bytes: 0, isDone: true }
  const folders = plan.filter(({ change: { before, from }, target }) => (
    (!before || from !== undefined) && context.files.lstat(target)?.kind === 'directory'
  ))
  if (folders.length > 0) {
    const names = listed(folders.map(({ change }) => shownName(change.path)))
    throw new HermesError('EISDIR', `${VERB}: a folder is in the place of ${names}`, {
      hint: 'Nothing was taken over. Make the changes of its diff yourself, those below that folder first.',
    })
  }
  const changed = plan.filter((each) => !isAsCopied(each, context)).map(({ change }) => shownName(change.path))
  if (changed.length > 0) {
    throw new HermesError('CHANGED_ON_DISK', `${VERB}: changed since the copy was made: ${listed(changed)}`, {
      hint: 'Nothing was taken over. Give the task again, or make the changes of its diff yourself.',
    })
  }
  for (const each of plan) {
    const { source, target, change: { before } } = each
    if (before) each.old = context.files.readBytes(source ?? target, context.limits.maxFileBytes)
  }
  const undo: (() => void)[] = []
  try {
    for (const each of plan) make(each, context, undo)
  } catch (error) {
    throw putBack(error, undo)
  }
  return { bytes: plan.reduce((sum, { change: { content } }) => sum + (content?.length ?? 0), 0), isDone: false }
}

function approved(change: DelegatedChange, { gate, session: { root } }: VerbContext): Planned {
  const { kind, path, from } = change
  const target = gate.approve(join(root, path), kind === 'delete' ? 'remove' : 'write')
  const isLinked = [path, ...(from === undefined ? [] : [from])].some((name) => leadsThroughLink(root, name))
  return { change, target, isLinked, ...(from !== undefined && { source: gate.approve(join(root, from), 'remove') }) }
}

function isDone({ change: { after }, target, source }: Planned, context: VerbContext): boolean {
  return isAs(target, after, context) && (source === undefined || isAs(source, undefined, context))
}

function isAsCopied({ change: { kind, before }, target, source, isLinked }: Planned, context: VerbContext): boolean {
  if (isLinked) return false
  if (kind !== 'move') return isAs(target, before, context)
  return source !== undefined && isAs(source, before, context) && isAs(target, undefined, context)
}

function isAs(
  path: ApprovedPath, state: DelegatedState | undefined, { files, limits: { maxFileBytes } }: VerbContext,
): boolean {
  const stat = files.lstat(path)
  if (stat === undefined || state === undefined) return stat === state
  if (stat.kind !== 'file' || stat.size > maxFileBytes) return false
  const sha256 = createHash('sha256').update(files.readBytes(path, maxFileBytes)).digest('hex')
  // The store tells no modes.
  return sha256 === state.sha256 && isExecutable(lstatSync(diskPath(path)).mode) === state.executable
}

/** @param undo takes what puts the change back */
function make({ change, target, source, old }: Planned, { files }: VerbContext, undo: (() => void)[]): void {
  const { kind, path, before, after, content } = change
  const orNamed = <T>(act: () => T): T => {
    return caught(isNodeError, act, (error) => {
      throw new HermesError(error.code, formatNodeError(error, shownName(path), VERB), { cause: error })
    })
  }
  const setExecutable = (): void => {
    if (after && files.setExecutable(target, after.executable)) undo.push(() => {
      if (before) files.setExecutable(target, before.executable)
    })
  }
  orNamed(() => {
    if (kind === 'delete') {
      files.remove(target)
      undo.push(() => {
        files.write(target, old ?? '')
        files.setExecutable(target, before?.executable ?? false)
      })
      return
    }
    if (source !== undefined) {
      const created = inParents(files, target, () => files.move(source, target))
      undo.push(() => {
        files.move(target, source)
        takeAway(files, created)
      })
      return
    }
    if (kind === 'modify') {
      if (content) {
        files.write(target, content)
        undo.push(() => void files.write(target, old ?? ''))
      }
      setExecutable()
      return
    }
    const created = inParents(files, target, () => files.write(target, content ?? ''))
    undo.push(() => {
      files.remove(target)
      takeAway(files, created)
    })
    setExecutable()
  })
}

/** @returns the directories that were made */
function inParents(files: VerbContext['files'], target: ApprovedPath, act: () => unknown): ApprovedPath[] {
  return withParents(files, target, target, act).createdDirs as ApprovedPath[]
}

function takeAway(files: VerbContext['files'], created: readonly ApprovedPath[]): void {
  for (const directory of created.toReversed()) files.removeDirectory(directory)
}

/** The failure, once what was done has been put back; where that fails as well, the failure says so. */
function putBack(error: unknown, undo: (() => void)[]): unknown {
  try {
    for (const step of undo.toReversed()) step()
  } catch (second) {
    if (!isNodeError(second) && !(second instanceof HermesError)) throw second
    const { code, message } = error instanceof HermesError ? error : { code: second.code, message: second.message }
    return new HermesError(code, `${message}; and not all could be put back: ${second.message}`, {
      hint: 'Look at the files of the diff. Undo of the run takes all of it back.', cause: error,
    })
  }
  if (!(error instanceof HermesError)) return error
  return new HermesError(error.code, error.message, { hint: 'Nothing was taken over.', cause: error })
}
