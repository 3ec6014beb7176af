import * as v from 'valibot'
import { text, texts, type VerbContext } from '../../0-contracts/src/index.js'
import { notRestored, type stepBack, type StepOutcome } from '../../3-transaction/src/index.js'
import { USERS_GIT } from './verb-kinds.js'

/** What the verbs that step through the history have in common. */
export const STEP = {
  ...USERS_GIT,
  args: v.strictObject({}),
  examples: [{}],
} as const

export const STEP_ENDS = {
  from: text('Full hash of the commit HEAD was at.'),
  to: text('Full hash of the commit HEAD is at now.'),
}
export const STEP_WORK = {
  stashed_files: v.optional(texts('Files whose changes were stashed, relative to the top of the repository.')),
  restored_files: v.optional(texts('Files whose changes, stashed at this commit earlier, are back.')),
}
export const ALONE = 'Not within a run: it takes the root for itself.'

/** Takes a step, and gives what the verb returns. @throws HermesError where work could not be put back */
export async function step(
  verb: string, move: typeof stepBack, { session, signal, runId, sandbox, approve }: VerbContext,
): Promise<Omit<StepOutcome, 'success'>> {
  const outcome = await move({
    root: session.root, signal, within: runId, hooks: { sandbox, approve, network: false },
  })
  if (!outcome.success) throw notRestored(verb, outcome)
  const { from, to, branch, stashed_files: stashed, restored_files: restored } = outcome
  return {
    from, to, ...(branch !== undefined && { branch }),
    ...(stashed && { stashed_files: stashed }), ...(restored && { restored_files: restored }),
  }
}
