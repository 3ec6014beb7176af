import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeOwn, stateDirectory } from '../../../2-files/src/index.js'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

const SAVED = v.object({
  /** The commit the work was done on. */
  commit: v.string(),
  /** SHA of the stash commit: numbers such as `stash@{0}` change. */
  stash: v.string(),
  /** Announced by `git add --intent-to-add`, which no tree can hold. */
  intentToAdd: v.array(v.string()),
  /** Permission bits git does not keep, by path. */
  modes: v.record(v.string(), v.number()),
})

const STATE = v.object({
  version: v.literal(1),
  /** Branch that was left, as `refs/heads/main`; `null` where HEAD was detached. */
  branch: v.nullable(v.string()),
  /** Commits stepped back from; the first is where the branch was left, the last the one to go forward to next. */
  trail: v.array(v.string()),
  /** In the order saved. */
  saved: v.array(SAVED),
  /** Ignored where the branch was left; a directory ends with `/`. Older commits may not ignore it: it is no work. */
  ignored: v.array(v.string()),
})

/** Work kept as a stash. */
export type SavedWork = v.InferOutput<typeof SAVED>

/** What step-back and step-forward keep between calls, in `.hermes/steps.json` at the top of the work tree. */
export type StepsState = v.InferOutput<typeof STATE>

export const NO_STEPS: StepsState = { version: 1, branch: null, trail: [], saved: [], ignored: [] }

/** @throws HermesError `INVALID_PARAMETER` when the file is damaged */
export function readSteps(top: string): StepsState {
  try {
    return v.parse(STATE, JSON.parse(readFileSync(join(top, '.hermes', 'steps.json'), 'utf8')))
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return NO_STEPS
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error
    throw new HermesError('INVALID_PARAMETER', 'The file .hermes/steps.json is damaged', {
      hint: 'Check out the branch you were on and remove the file. Work that was stashed is in git stash list.',
      cause: error,
    })
  }
}

/** Atomic; the file goes when there is nothing to keep. */
export function writeSteps(top: string, state: StepsState): void {
  const file = join(stateDirectory(top), 'steps.json')
  if (state.trail.length === 0 && state.saved.length === 0) {
    rmSync(file, { force: true })
    return
  }
  writeOwn(file, `${JSON.stringify(state, null, 2)}\n`)
}
