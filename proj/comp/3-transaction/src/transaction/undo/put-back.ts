import { lstatSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  HermesError, orNothing, type ApprovedPath, type PathGate,
} from '../../../../0-contracts/src/index.js'
import { DiskFiles, diskPath } from '../../../../2-files/src/index.js'
import {
  bringTo, captureState, isSameState, savedContent, resolveStored, type Content, type FileOperation, type FileState,
  type Operation, type RunRecord,
} from '../../journal/index.js'
import { reasonOf } from '../run-refusals.js'

/** Where states are restored: through the journalled files of an undo, or directly on disk. */
export interface Restorer {
  restore(path: ApprovedPath, state: FileState, content: Content | undefined): void
  move(from: ApprovedPath, to: ApprovedPath): void
  makeDirectories(path: ApprovedPath): unknown
}

export interface PutBackOptions {
  root: string
  gate: PathGate
  restorer: Restorer
  /** Stored paths to leave as they are. */
  except: ReadonlySet<string>
}

/**
 * Undoes the file operations of a run, the last first. Paths that are as before already are skipped, so it can be
 * repeated after an interruption.
 *
 * @returns paths that could not be restored, with the reason
 */
export function putBack(
  run: RunRecord, operations: readonly FileOperation[], { root, gate, restorer, except }: PutBackOptions,
): { path: string; reason: string }[] {
  const left: { path: string; reason: string }[] = []
  for (const operation of operations.toReversed()) {
    const path = operation.op === 'set' ? operation.path : operation.to
    if (except.has(path)) continue
    try {
      if (operation.op === 'set') putBackState(run, operation.path, operation.old, operation.new)
      else putBackMove(run, operation)
    } catch (error) {
      left.push({ path, reason: reasonOf(error) })
    }
  }
  return left

  function approved(stored: string): ApprovedPath {
    return approveAgain(root, gate, stored)
  }

  function putBackState({ directory }: RunRecord, stored: string, old: FileState, next: FileState): void {
    const path = approved(stored)
    const now = captureState(path)
    if (isSameState(now, old)) return
    if (!isSameState(now, next)) throw new HermesError('CHANGED_ON_DISK', 'changed by someone else since')
    restorer.restore(path, old, old.kind === 'file' ? savedContent(directory, old) : undefined)
  }

  function putBackMove(record: RunRecord, { from, to, moved, replaced }: Extract<FileOperation, { op: 'move' }>): void {
    const [source, target] = [approved(from), approved(to)]
    if (captureState(source).kind === 'absent' && isSameState(captureState(target), moved)) {
      restorer.makeDirectories(dirname(source) as ApprovedPath)
      restorer.move(target, source)
    }
    if (replaced.kind !== 'absent') putBackState(record, to, replaced, { kind: 'absent' })
  }
}

/** The operations of a run that change files, in the order done. */
export function fileOperations(operations: readonly Operation[]): FileOperation[] {
  return operations.filter((operation): operation is FileOperation => operation.op === 'set' || operation.op === 'move')
}

/** Restores directly on disk: a repetition recognises what is restored already. */
export function onDisk(): Restorer {
  const files = new DiskFiles()
  return {
    restore: (path, state, content) => {
      if (state.kind !== 'absent') files.makeDirectories(dirname(path) as ApprovedPath)
      bringTo(files, path, captureState(path), state, content)
    },
    move: (from, to) => files.move(from, to),
    makeDirectories: (path) => files.makeDirectories(path),
  }
}

/**
 * Passes a path of the journal through the gate again, since links on its way may have changed.
 *
 * @throws HermesError as the gate, and `CHANGED_ON_DISK` where a link now leads elsewhere
 */
export function approveAgain(root: string, gate: PathGate, stored: string): ApprovedPath {
  const path = resolveStored(root, stored)
  const approved = gate.approve(path, 'remove')
  if (approved === path) return approved
  throw new HermesError('CHANGED_ON_DISK', `a link leads elsewhere now: ${stored}`, { hint: 'Remove the link first.' })
}

export function isEmptyDirectory(path: string): boolean {
  return orNothing(() => lstatSync(diskPath(path)).isDirectory() && readdirSync(diskPath(path)).length === 0, false)
}
