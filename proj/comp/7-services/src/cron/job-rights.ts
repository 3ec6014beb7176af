import type { HermesOptions } from '../../../0-contracts/src/index.js'
import type { AgentOptions } from '../../../6-agent/src/index.js'
import type { JobLimits } from './jobs.js'

type Rights = Pick<AgentOptions, 'allow' | 'sandbox' | 'network' | 'enabledToolsets' | 'disabledToolsets'>

/** What both the runner and the conversation that made a job may do; what none of them says the policy does. */
export function withinLimits<Options extends Rights>(
  runner: Options, limits: JobLimits,
): Omit<Options, keyof Rights> & Rights {
  const { allow = [], enabledToolsets, disabledToolsets = [], sandbox: ownSandbox, network: ownNetwork, ...rest }
    = runner
  const toolsets = limits.toolsets === undefined ? enabledToolsets
    : limits.toolsets.filter((name) => enabledToolsets?.includes(name) ?? true)
  const [sandbox, network] = [sandboxOf(ownSandbox, limits.sandbox), networkOf(ownNetwork, limits.network)]
  return {
    ...rest,
    allow: allow.filter((directory) => limits.allow.includes(directory)),
    ...(sandbox !== undefined && { sandbox }), ...(network !== undefined && { network }),
    ...(toolsets !== undefined && { enabledToolsets: toolsets }),
    disabledToolsets: [...new Set([...disabledToolsets, ...limits.disabledToolsets])],
  }
}

function sandboxOf(runner: HermesOptions['sandbox'], limit: HermesOptions['sandbox']): HermesOptions['sandbox'] {
  if (runner === limit || limit === 'none') return runner
  return runner === 'none' ? limit : limit ?? runner
}

function networkOf(runner: boolean | undefined, limit: boolean | undefined): boolean | undefined {
  if (runner === false || limit === false) return false
  return runner === true && limit === true ? true : undefined
}
