import { readFileSync } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import type { ApprovedPath, FileChange } from '../../../0-contracts/src/index.js'
import { orNothing } from '../../../0-contracts/src/index.js'
import { readRun, readSaved, resolveStored, statesOf, type FileState } from '../../../3-transaction/src/index.js'
import { loadDiffRenderer, type ReportStyle } from '../../../1-reports/src/index.js'

/** What the verbs of a run changed, by its journal, against what is there now. Empty where there is nothing to show. */
export async function diffOfRun(root: string, runId: string, style: ReportStyle): Promise<string> {
  const run = readRun(root, runId)
  if (!run) return ''
  const changes = statesOf(run).changedByName().flatMap(({ path, before, after }): FileChange[] => {
    // Only shown: nothing is opened by it.
    const shown = resolveStored(root, path) as ApprovedPath
    const [old, now] = [savedText(run.directory, before), after.kind === 'file' ? textNow(shown) : undefined]
    if (before.kind === 'file' && after.kind === 'file') return [{
      kind: 'modify', path: shown, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }),
    }]
    if (after.kind === 'file') return [{ kind: 'create', path: shown, ...(now !== undefined && { after: now }) }]
    if (before.kind === 'file') return [{ kind: 'delete', path: shown, ...(old !== undefined && { before: old }) }]
    if (after.kind === 'directory' && before.kind === 'absent') return [{ kind: 'create-directory', path: shown }]
    return before.kind === 'directory' && after.kind === 'absent' ? [{ kind: 'delete-directory', path: shown }] : []
  })
  return (await loadDiffRenderer(style))(changes)
}

function savedText(directory: string, state: FileState): string | undefined {
  return state.kind === 'file' && state.at !== undefined ? asText(readSaved(directory, state)) : undefined
}

function textNow(path: string): string | undefined {
  const bytes = orNothing(() => readFileSync(path), undefined)
  return bytes && asText(bytes)
}

function asText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined
}
