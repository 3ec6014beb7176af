import { DEFAULT_POLICY, loadPolicy } from '../../../2-config/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { createSandbox, type HookConsent } from '../../../2-sandbox/src/index.js'

/**
 * Where the hooks of git run when the user takes a run back or recovers one: in the sandbox that the policy says. Where
 * there is none they run without, as for the user's own commits.
 *
 * @param root canonical, as is `allow`
 */
export async function userHooks(root: string, allow: readonly string[]): Promise<HookConsent> {
  const { sandbox, verbs, passesEnv } = await policyOf(root)
  return {
    sandbox: createSandbox({ mode: sandbox.value, root, allow, passes: passesEnv }),
    network: verbs.network.value === 'on',
    approve: async () => 'granted', isUnattended: true,
  }
}

/** A policy that cannot be read keeps nobody from taking back what was done. */
async function policyOf(root: string): Promise<typeof DEFAULT_POLICY> {
  try {
    return (await loadPolicy({ root, policy: undefined, wishes: { limits: {} } })).policy
  } catch (error) {
    if (error instanceof HermesError) return DEFAULT_POLICY
    throw error
  }
}
