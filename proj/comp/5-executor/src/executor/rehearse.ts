import { HermesError, type AnyVerb, type CommandSandbox, type VerbContext } from '../../../0-contracts/src/index.js'
import { callHandler } from './handlers/call-handler.js'
import { forwardedSandbox } from './handlers/sandbox-news.js'
import { askFirst } from './permissions.js'

/** Codes of failures that earlier commands could not have prevented. */
const CERTAIN = new Set(['APPROVAL_DENIED', 'POLICY_DENIED', 'NOT_INSTALLED', 'NETWORK_NOT_HELD'])

/**
 * Asks for the approvals that a command would ask for, without starting it: its sandbox throws where it would start.
 *
 * @throws HermesError where the policy, the user or the sandbox refuses
 */
export async function rehearse(verb: AnyVerb, args: unknown, context: VerbContext): Promise<void> {
  if ((verb.type !== 'exec' && verb.type !== 'dynamic') || verb.permission) return
  const stopped = new Error('The rehearsal ends here')
  const stop = (): never => {
    throw stopped
  }
  const { sandbox } = context
  const held = (where: CommandSandbox): CommandSandbox => (
    forwardedSandbox(where, { confine: stop, end: async () => undefined }, held)
  )
  try {
    const asked = await askFirst(verb, args, { ...context, dryRun: false })
    await callHandler(verb, args, {
      ...asked, vocabulary: verb.vocabulary, dryRun: true, sandbox: held(sandbox), admitted: stop,
      advise: () => undefined,
    })
  } catch (error) {
    if (error === stopped) return
    // Other failures may be due to earlier commands that did not run: a missing directory, say.
    if (error instanceof HermesError && CERTAIN.has(error.code)) throw error
  }
}
