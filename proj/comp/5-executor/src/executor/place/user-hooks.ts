import { createSandbox, type HookConsent } from '../../../../2-sandbox/src/index.js'
import { userPolicy } from './user-policy.js'
import type { ExecutorOptions } from '../settings.js'

/**
 * Where the hooks of git run when the user takes a run back or recovers one: in the sandbox that the policy says. Where
 * there is none they run without, as for the user's own commits.
 *
 * @param root canonical, as is `allow`
 * @param options of the session that made the run, if one did
 */
export async function userHooks(
  root: string, allow: readonly string[], options: Pick<ExecutorOptions, 'policy' | 'sandbox' | 'network'> = {},
): Promise<HookConsent> {
  const { sandbox, verbs, hosts, passesEnv } = await userPolicy(root, options)
  return {
    sandbox: createSandbox({ mode: sandbox.value, root, allow, passes: passesEnv, hosts: hosts?.value }),
    network: verbs.network.value === 'on',
    approve: async () => 'granted', isUnattended: true,
  }
}
