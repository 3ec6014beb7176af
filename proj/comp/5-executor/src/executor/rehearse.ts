import { HermesError, type AnyVerb, type CommandSandbox, type VerbContext } from '../../../0-contracts/src/index.js'
import { callHandler } from './handlers/call-handler.js'
import { askFirst } from './permissions.js'

/** Failures that do not depend on what earlier commands would have done. */
const CERTAIN = new Set(['APPROVAL_DENIED', 'POLICY_DENIED', 'NOT_INSTALLED'])

/**
 * Asks what a command asks before it starts, and starts nothing: its sandbox stops it where it would be let in.
 *
 * @throws HermesError what the policy, the user or the sandbox refuses
 */
export async function rehearse(verb: AnyVerb, args: unknown, context: VerbContext): Promise<void> {
  if ((verb.type !== 'exec' && verb.type !== 'dynamic') || verb.permission) return
  const stopped = new Error('The rehearsal ends here')
  const stop = (): never => {
    throw stopped
  }
  const { sandbox } = context
  const held = (where: CommandSandbox): CommandSandbox => ({
    isIsolated: where.isIsolated,
    get local() {
      return held(where.local)
    },
    problem: async () => where.problem(),
    admit: async (name, command, approve) => where.admit(name, command, approve),
    confine: stop,
    end: async () => undefined,
  })
  try {
    const asked = await askFirst(verb, args, { ...context, dryRun: false })
    await callHandler(verb, args, {
      ...asked, vocabulary: verb.vocabulary, dryRun: true, sandbox: held(sandbox), admitted: stop,
      advise: () => undefined,
    })
  } catch (error) {
    if (error === stopped) return
    // A directory that is not there yet, say, may be made by a command before.
    if (error instanceof HermesError && CERTAIN.has(error.code)) throw error
  }
}
