import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeOwn, stateDirectory } from '../../../2-files/src/index.js'
import { caught, HermesError, unlessCode } from '../../../0-contracts/src/index.js'
import { isMalformed } from '../malformed.js'

const SAVED = v.object({
  /** The commit on which the work was done. */
  commit: v.string(),
  /** SHA of the stash commit; names such as `stash@{0}` change. */
  stash: v.string(),
  /** Files of `git add --intent-to-add`, which no tree can hold. */
  intentToAdd: v.array(v.string()),
  /** By path: permission bits that git does not keep. */
  modes: v.record(v.string(), v.number()),
})

const STATE = v.object({
  version: v.literal(1),
  /** Full name of the branch that was left (`refs/heads/main`); `null` where HEAD was detached. */
  branch: v.nullable(v.string()),
  /** Commits stepped back from: first the one where the branch was left, last the next one to go forward to. */
  trail: v.array(v.string()),
  /** In the order they were saved. */
  saved: v.array(SAVED),
  /**
   * Paths that were ignored where the branch was left; directories end with `/`. Older commits may not ignore them, but
   * they do not count as work.
   */
  ignored: v.array(v.string()),
})

/** Work kept as a stash. */
export type SavedWork = v.InferOutput<typeof SAVED>

/** State of step-back and step-forward, kept in `.hermes/steps.json` at the top of the work tree. */
export type StepsState = v.InferOutput<typeof STATE>

export const NO_STEPS: StepsState = { version: 1, branch: null, trail: [], saved: [], ignored: [] }

/** @throws HermesError `INVALID_PARAMETER` when the file is damaged */
export function readSteps(top: string): StepsState {
  const text = unlessCode(['ENOENT'], () => readFileSync(join(top, '.hermes', 'steps.json'), 'utf8'), undefined)
  if (text === undefined) return NO_STEPS
  return caught(isMalformed, () => v.parse(STATE, JSON.parse(text)), (error) => {
    throw new HermesError('INVALID_PARAMETER', 'The file .hermes/steps.json is damaged', {
      hint: 'Check out the branch you were on and remove the file. Work that was stashed is in git stash list.',
      cause: error,
    })
  })
}

/** Atomic; removes the file when there is nothing to keep. */
export function writeSteps(top: string, state: StepsState): void {
  const file = join(stateDirectory(top), 'steps.json')
  if (state.trail.length === 0 && state.saved.length === 0) {
    rmSync(file, { force: true })
    return
  }
  writeOwn(file, `${JSON.stringify(state, null, 2)}\n`)
}
