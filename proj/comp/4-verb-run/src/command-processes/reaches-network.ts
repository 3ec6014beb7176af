import type { VerbContext } from '../../../0-contracts/src/index.js'

/** What the policy says for the call. */
export function reachesNetwork({ policy }: Pick<VerbContext, 'policy'>): boolean {
  return policy.verbs.network.value === 'on'
}
