import type { AgentSettings } from '../../../2-config/src/index.js'
import type { AgentOptions } from './loop-options.js'

/** How an agent is made by the settings of a user. @param run what its runs may do */
export function agentOptions(
  settings: AgentSettings & { model: string },
  run: Pick<
    AgentOptions, 'root' | 'allow' | 'sandbox' | 'network' | 'gitCommit' | 'waitMs' | 'extensions' | 'extensionUi'
    | 'extensionLimitMs' | 'extensionQuietMs' | 'onExtensionWarning'
  >,
): AgentOptions {
  return {
    model: settings.model, baseURL: settings.baseURL, style: settings.style, maxTurns: settings.maxTurns,
    ...(settings.apiKey !== undefined && { apiKey: settings.apiKey }),
    api: settings.api, ...(settings.headers && { headers: settings.headers }),
    ...(settings.temperature !== undefined && { temperature: settings.temperature }),
    ...(settings.maxTokens !== undefined && { maxTokens: settings.maxTokens }),
    ...(settings.reasoningEffort !== undefined && { reasoningEffort: settings.reasoningEffort }),
    ...(settings.toolsets && { enabledToolsets: settings.toolsets }),
    ...(settings.disabledToolsets.length > 0 && { disabledToolsets: settings.disabledToolsets }),
    ...(settings.contextWindow !== undefined && { contextWindow: settings.contextWindow }),
    ...(settings.compression && { compression: settings.compression }),
    ...(settings.maxRetries !== undefined && { maxRetries: settings.maxRetries }),
    prices: settings.prices,
    ...(settings.personality && { systemPrompt: settings.personality.text }),
    ...(!settings.delegate && { delegate: false as const }),
    surroundings: settings.surroundings, autoCommit: settings.autoCommit, saveTrajectories: settings.saveTrajectories,
    quiet: true, ...run,
  }
}
