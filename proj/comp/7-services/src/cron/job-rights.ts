import { commonReach, type HermesOptions, type NetworkReach } from '../../../0-contracts/src/index.js'
import type { AgentOptions } from '../../../6-agent/src/index.js'
import type { JobLimits } from './jobs.js'

type Rights = Pick<AgentOptions, 'allow' | 'sandbox' | 'network' | 'enabledToolsets' | 'disabledToolsets'>

/**
 * The rights that both the runner and the job's conversation have; where neither sets one, the policy applies.
 *
 * @param policy network access of commands without any flag
 */
export function withinLimits<Options extends Rights>(
  runner: Options, limits: JobLimits, policy: NetworkReach,
): Omit<Options, keyof Rights> & Rights {
  const { allow = [], enabledToolsets, disabledToolsets = [], sandbox: ownSandbox, network: ownNetwork, ...rest }
    = runner
  const toolsets = limits.toolsets === undefined ? enabledToolsets
    : limits.toolsets.filter((name) => enabledToolsets?.includes(name) ?? true)
  return {
    ...rest,
    allow: allow.filter((directory) => limits.allow.includes(directory)),
    sandbox: sandboxOf(ownSandbox, limits.sandbox), network: networkOf(ownNetwork, limits.network, policy),
    enabledToolsets: toolsets,
    disabledToolsets: [...new Set([...disabledToolsets, ...limits.disabledToolsets])],
  }
}

function sandboxOf(runner: HermesOptions['sandbox'], limit: HermesOptions['sandbox']): HermesOptions['sandbox'] {
  if (runner === limit || limit === 'none') return runner
  return runner === 'none' ? limit : limit ?? runner
}

function networkOf(
  runner: NetworkReach | undefined, limit: NetworkReach | undefined, policy: NetworkReach,
): NetworkReach | undefined {
  if (runner === false || limit === false) return false
  // A list on one side applies to what the policy allows the other, which may be more.
  const isNarrowed = typeof runner === 'object' || typeof limit === 'object'
  if (!isNarrowed && (runner === undefined || limit === undefined)) return undefined
  return commonReach(runner ?? policy, limit ?? policy)
}
