import { opensPart, type VerbContext } from '../../../0-contracts/src/index.js'

/** What the policy says for the call, or the user for this command. */
export function reachesNetwork({ policy, access }: Pick<VerbContext, 'policy' | 'access'>): boolean {
  return policy.verbs.network.value === 'on' || opensPart(access, 'network')
}
