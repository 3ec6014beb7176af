import type { AgentSettings } from '../../../2-config/src/index.js'
import { oneOf, usageError, createMasker } from '../../../0-text/src/index.js'
import type { Adapter } from './adapter.js'
import { slackAdapter } from './slack-adapter.js'
import { webhookAdapter } from './webhook-adapter.js'

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  webhook: ['HERMES_WEBHOOK_SECRET'], slack: ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'],
}

/** The unset variables of each adapter. */
export function missingVariables({ env }: Pick<AgentSettings, 'env'>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(NEEDED)
    .map(([name, variables]) => [name, variables.filter((variable) => !env[variable])]))
}

/**
 * The adapters that are set up, or those chosen.
 *
 * @throws HermesError `INVALID_OPTION` where a chosen one is not set up, or none is
 */
export function gatewayAdapters(
  settings: Pick<AgentSettings, 'env' | 'gateway'>, chosen: readonly string[],
): Adapter[] {
  const { env, gateway } = settings
  for (const name of chosen) oneOf('adapter', name, Object.keys(NEEDED))
  const missing = missingVariables(settings)
  const ready = Object.keys(NEEDED).filter((name) => missing[name]?.length === 0)
  const names = chosen.length > 0 ? chosen : ready
  const lacks = names.find((name) => (missing[name]?.length ?? 0) > 0)
  if (lacks !== undefined) throw usageError(
    `${lacks} is not set up: ${missing[lacks]?.join(', ')} not set`,
    'hermes setup --key NAME, with the value on standard input.',
  )
  if (names.length === 0) {
    throw usageError(
      'No adapter is set up',
      Object.entries(NEEDED).map(([name, variables]) => `${name} needs ${variables.join(' and ')}`).join('; ')
        + ' (hermes setup). hermes help gateway describes it.',
    )
  }
  return names.map((name) => {
    if (name === 'slack') {
      return slackAdapter({
        botToken: env['SLACK_BOT_TOKEN'] ?? '', signingSecret: env['SLACK_SIGNING_SECRET'] ?? '',
        allowedUsers: gateway.slack?.allowed_users ?? [], apiURL: gateway.slack?.api_url,
      })
    }
    const url = gateway.webhook?.url
    if (url === undefined) {
      throw usageError('gateway.webhook.url is not set: answers '
        + 'would go nowhere', 'hermes config set gateway.webhook.url https://…')
    }
    return webhookAdapter({
      secret: env['HERMES_WEBHOOK_SECRET'] ?? '', url, allowedUsers: gateway.webhook?.allowed_users ?? [],
      progress: gateway.webhook?.progress,
    })
  })
}

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
