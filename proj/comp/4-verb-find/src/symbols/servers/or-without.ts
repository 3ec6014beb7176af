import { caughtLater, HermesError, type VerbContext } from '../../../../0-contracts/src/index.js'

/** Failures of a server that hermes' own index does without. */
const DONE_WITHOUT = new Set(['SERVER_FAILED', 'APPROVAL_DENIED', 'NOT_INSTALLED', 'POLICY_DENIED'])

/** What a language server answers, or `undefined` where it cannot, which the caller is told. */
export async function orWithout<Answer>(
  context: VerbContext, ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  return await caughtLater(HermesError, ask, (error) => {
    if (!DONE_WITHOUT.has(error.code)) throw error
    context.advise?.(`${error.message}. What follows is hermes' own, without it.`)
    return undefined
  })
}
