import { readFileSync } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { orNothing, type ApprovedPath, type FileChange } from '../../../0-contracts/src/index.js'
import { diskPath } from '../../../2-files/src/index.js'
import { captureState, readRun, readSaved, resolveStored, statesOf, type FileState } from '../journal/index.js'
import { CommandChanges } from './commands/command-changes.js'
import { createRunId } from './run-id.js'
import { beforeCommands } from './undo/take-back.js'

/** State of a path before the first run that changed it; without text where it is none, or unknown. */
interface Before {
  kind: FileState['kind'] | 'unknown'
  text?: string | undefined
}

/**
 * The changes of runs, by verbs and commands, compared with the present files.
 *
 * @param runIds oldest first
 * @returns in the order first changed; the paths are for display only
 */
export async function fileChanges(root: string, runIds: readonly string[]): Promise<FileChange[]> {
  const before = new Map<string, Before>()
  const note = (path: string, state: Before): void => {
    if (!before.has(path)) before.set(path, state)
  }
  for (const runId of runIds) {
    const run = readRun(root, runId)
    if (!run) continue
    const saved = (state: FileState): Before => ({
      kind: state.kind,
      text: state.kind === 'file' && state.at !== undefined ? textOf(readSaved(run.directory, state)) : undefined,
    })
    const commands = await CommandChanges.read(run, createRunId())
    for (const { path, before: state } of statesOf({ operations: beforeCommands(run) }).changedByName()) {
      note(path, saved(state))
    }
    for (const path of commands.paths(root)) {
      const [old] = await commands.contents(root, path) ?? []
      note(path, { kind: old === undefined ? 'absent' : 'file', text: old && textOf(old) })
    }
    for (const { path, before: state } of statesOf(run).changedByName()) note(path, saved(state))
  }
  return [...before].flatMap(([path, was]) => changeOf(resolveStored(root, path) as ApprovedPath, was))
}

function changeOf(path: ApprovedPath, was: Before): FileChange[] {
  const now = orNothing(() => captureState(path), undefined)
  const text = now?.kind === 'file' ? orNothing(() => textOf(readFileSync(diskPath(path))), undefined) : undefined
  const [old, next] = [was.text !== undefined && { before: was.text }, text !== undefined && { after: text }]
  if (was.kind === 'file' && now?.kind === 'file') {
    return was.text !== undefined && was.text === text ? [] : [{ kind: 'modify', path, ...old, ...next }]
  }
  if (now?.kind === 'file') return [{ kind: 'create', path, ...next }]
  if (was.kind === 'file') return [{ kind: 'delete', path, ...old }]
  if (now?.kind === 'directory' && was.kind === 'absent') return [{ kind: 'create-directory', path }]
  return was.kind === 'directory' && (now?.kind ?? 'absent') === 'absent' ? [{ kind: 'delete-directory', path }] : []
}

function textOf(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined
}
