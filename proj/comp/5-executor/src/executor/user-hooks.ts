import { createSandbox, type HookConsent } from '../../../2-sandbox/src/index.js'
import { userPolicy } from './place/user-policy.js'

/**
 * Where the hooks of git run when the user takes a run back or recovers one: in the sandbox that the policy says. Where
 * there is none they run without, as for the user's own commits.
 *
 * @param root canonical, as is `allow`
 */
export async function userHooks(root: string, allow: readonly string[]): Promise<HookConsent> {
  const { sandbox, verbs, passesEnv } = await userPolicy(root)
  return {
    sandbox: createSandbox({ mode: sandbox.value, root, allow, passes: passesEnv }),
    network: verbs.network.value === 'on',
    approve: async () => 'granted', isUnattended: true,
  }
}
