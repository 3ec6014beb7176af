import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUtf8 } from 'node:buffer'
import { HermesError, isNodeError, type ApprovedPath } from '../../contracts/src/index.js'
import { runGit } from '../../git/src/index.js'
import { captureState, readSaved, sha256, statesOf, type FileState, type RunRecord } from '../../journal/src/index.js'
import { approveAgain, type PutBackOptions } from './put-back.js'

/**
 * Takes a run's change of one path back while keeping what was changed in it since: a merge of three texts, where both
 * touch the same lines with conflict markers. Where a text is missing the other's change stays, and is told in `left`.
 */
export async function mergeBack(
  run: RunRecord, stored: string, { root, gate, restorer }: PutBackOptions, left: { path: string; reason: string }[],
): Promise<{ path: string; marked: boolean }[]> {
  const change = statesOf(run).changed().find(({ path }) => path === stored)
  let path: ApprovedPath
  try {
    path = approveAgain(root, gate, stored)
  } catch (error) {
    if (!(error instanceof HermesError) && !isNodeError(error)) throw error
    left.push({ path: stored, reason: error.message })
    return []
  }
  const [before, after] = [change && textOf(run, change.before), change && textOf(run, change.after)]
  const current = currentText(path)
  if (before === undefined || after === undefined || current === undefined) {
    left.push({ path: stored, reason: 'changed since, and not a text that can be merged: kept as it is' })
    return []
  }
  const { text, conflicts } = await mergeTexts(current, after, before)
  const content = Buffer.from(text)
  restorer.restore(path, { kind: 'file', size: content.length, sha256: sha256(content) }, content)
  return [{ path: stored, marked: conflicts }]
}

function textOf({ directory }: RunRecord, state: FileState): Uint8Array | undefined {
  if (state.kind !== 'file' || state.at === undefined) return undefined
  const bytes = readSaved(directory, state)
  return isUtf8(bytes) ? bytes : undefined
}

function currentText(path: ApprovedPath): Uint8Array | undefined {
  if (captureState(path).kind !== 'file') return undefined
  const bytes = readFileSync(path)
  return isUtf8(bytes) ? bytes : undefined
}

/** Git's own merge, which needs no repository. */
async function mergeTexts(current: Uint8Array, base: Uint8Array, other: Uint8Array): Promise<{ text: string; conflicts: boolean }> {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-merge-'))
  try {
    const files = [current, base, other].map((bytes, index) => {
      const file = join(directory, String(index))
      writeFileSync(file, bytes, { mode: 0o600 })
      return file
    })
    const output = await runGit([
      'merge-file', '-p', '--diff3', '-L', 'now', '-L', 'after the run', '-L', 'before the run', ...files,
    ], { verb: 'git', cwd: directory, signal: new AbortController().signal })
    return { text: output.stdout.toString('utf8'), conflicts: output.exitCode !== 0 }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
