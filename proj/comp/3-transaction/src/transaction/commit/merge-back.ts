import { isUtf8 } from 'node:buffer'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskPath } from '../../../../2-files/src/index.js'
import { gitFailure, runGit } from '../../../../2-git/src/index.js'
import { captureState, readSaved, sha256, statesOf, type FileState, type RunRecord } from '../../journal/index.js'
import type { ExaminedRun } from '../undo/examine-run.js'
import { approveAgain, type PutBackOptions } from '../undo/put-back.js'
import type { Reversal } from '../undo/reversal.js'
import { reasonOf } from '../run-refusals.js'

/** Longest text to merge, in bytes. */
const MOST_TEXT_BYTES = 256 * 1024 * 1024
/** `git merge-file` exits with the number of conflicts, at most this; higher codes are failures. */
const MOST_CONFLICTS = 127

/**
 * Undoes a run's change of one path while keeping later changes: a three-way merge, with conflict markers where both
 * touch the same lines. Where one of the texts is missing, the later change stays, and the path is reported as `kept`.
 */
export async function mergeBack(
  { run, commands }: ExaminedRun, stored: string, { root, gate, restorer }: PutBackOptions,
  { merged, kept, left }: Reversal,
): Promise<void> {
  try {
    const path = approveAgain(root, gate, stored)
    const [before, after] = await commands.contents(root, stored) ?? savedContents(run, stored)
    const state = captureState(path)
    const isShort = state.kind === 'file' && state.size <= MOST_TEXT_BYTES
    const current = isShort ? readFileSync(diskPath(path)) : undefined
    const result = isText(before) && isText(after) && isText(current)
      ? await mergeTexts(current, after, before) : undefined
    if (!result) {
      const hasBase = before !== undefined && after !== undefined
      const why = hasBase ? 'not a text that can be merged' : 'without a common base to merge from'
      const isGone = state.kind === 'absent'
      const reason = isGone ? 'deleted since: it stays away' : `changed since, and ${why}: it stays as it is`
      kept.push({ path: stored, reason })
      return
    }
    const { content, marked } = result
    restorer.restore(path, { kind: 'file', size: content.length, sha256: sha256(content) }, content)
    merged.push({ path: stored, marked })
  } catch (error) {
    left.push({ path: stored, reason: reasonOf(error) })
  }
}

type Contents = readonly (Uint8Array | undefined)[]

/** Contents before and after the run. */
function savedContents(run: RunRecord, stored: string): Contents {
  const change = statesOf(run).changed().find(({ path }) => path === stored)
  return [change && contentOf(run, change.before), change && contentOf(run, change.after)]
}

function contentOf({ directory }: RunRecord, state: FileState): Uint8Array | undefined {
  const isShort = state.kind === 'file' && state.at !== undefined && state.size <= MOST_TEXT_BYTES
  return isShort ? readSaved(directory, state) : undefined
}

function isText(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes !== undefined && isUtf8(bytes) && !bytes.includes(0)
}

/**
 * Git's own merge, which needs no repository.
 *
 * @throws HermesError when it fails
 */
async function mergeTexts(
  current: Uint8Array, base: Uint8Array, other: Uint8Array,
): Promise<{ content: Uint8Array; marked: boolean }> {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-merge-'))
  try {
    const [result = '', ...files] = [current, base, other].map((bytes, index) => {
      const file = join(directory, String(index))
      writeFileSync(file, bytes, { mode: 0o600 })
      return file
    })
    // The result goes into the first file, since the size of git's output is limited.
    const output = await runGit([
      'merge-file', '--diff3', '-L', 'now', '-L', 'after the run', '-L', 'before the run', result, ...files,
    ], { verb: 'git', cwd: directory, signal: new AbortController().signal })
    if (output.exitCode === null || output.exitCode > MOST_CONFLICTS) throw gitFailure('merge', output)
    return { content: readFileSync(result), marked: output.exitCode > 0 }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
