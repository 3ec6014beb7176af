import type { AgentSettings } from '../../../2-config/src/index.js'
import { createMasker, usageError } from '../../../0-text/src/index.js'
import { gatewayAdapters } from './gateway-adapters.js'

/** Longest time of one delivery, all its tries. */
const DELIVERY_MS = 120_000

/**
 * Reads where a message goes: `webhook:CONVERSATION`, `slack:TEAM:CHANNEL[:THREAD]`.
 *
 * @throws HermesError `INVALID_OPTION`, also where the adapter is not set up
 */
export function messageTarget(settings: Pick<AgentSettings, 'env' | 'gateway'>, written: string): {
  send: (text: string, signal: AbortSignal) => Promise<void>
} {
  const [, name, conversation = ''] = /^([a-z]+):(.+)$/s.exec(written) ?? []
  if (name === undefined || (name === 'slack' && !/^[^:]*:[^:]+(?::[^:]+)?$/.test(conversation))) {
    throw usageError(`Not a conversation: ${written}`, 'Write webhook:CONVERSATION, or slack:TEAM:CHANNEL[:THREAD].')
  }
  const [adapter] = gatewayAdapters(settings, [name])
  return {
    send: async (text, signal) => {
      const masked = createMasker(process.env, { shapes: true }).text(text)
      await adapter?.send(conversation, masked, AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_MS)]))
    },
  }
}
