import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Scheduler } from '../../../0-contracts/src/index.js'
import { conversationJobs } from '../../../7-services/src/index.js'
import type { AgentSetup } from './agent-setup.js'

/**
 * What a conversation may schedule: as much as it may do itself.
 *
 * @param from `chat`, or a conversation of the gateway
 */
export function conversationScheduler({ settings, root, options }: AgentSetup, from: string): Scheduler {
  const { allow = [], sandbox, network, enabledToolsets, disabledToolsets = [] } = options
  const isChat = from === 'chat'
  return conversationJobs({
    directory: join(settings.home, 'cron'), root: realpathSync(root), from, timeZone: settings.cron.time_zone,
    // A message approves nothing: the owner did, by gateway.cron.
    consent: isChat ? 'ask' : 'given', deliver: isChat ? undefined : from,
    limits: {
      allow: [...allow], disabledToolsets: [...disabledToolsets],
      ...(sandbox !== undefined && { sandbox }),
      ...(network !== undefined && { network: typeof network === 'boolean' ? network : [...network] }),
      ...(enabledToolsets && { toolsets: [...enabledToolsets] }),
    },
  })
}

/** Nobody is offered what nothing would run: cron was used on this machine. */
export function isCronUsed(home: string): boolean {
  return existsSync(join(home, 'cron'))
}
