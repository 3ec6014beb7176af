import type { AgentSettings } from '../../../2-config/src/index.js'
import type { AgentOptions } from './loop-options.js'

/** How an agent is made by the settings of a user. @param run what its runs may do */
export function agentOptions(
  {
    model, baseURL, style, maxTurns, apiKey, api, headers, temperature, maxTokens, reasoningEffort, toolsets,
    disabledToolsets, contextWindow, compression, maxRetries, prices, personality, delegate, surroundings, autoCommit,
    saveTrajectories,
  }: AgentSettings & { model: string },
  run: Pick<
    AgentOptions, 'root' | 'allow' | 'sandbox' | 'network' | 'gitCommit' | 'waitMs' | 'extensions' | 'extensionUi'
    | 'extensionLimitMs' | 'extensionQuietMs' | 'onExtensionWarning'
  >,
): AgentOptions {
  return {
    model, baseURL, style, maxTurns, apiKey, api, headers, temperature, maxTokens, reasoningEffort,
    enabledToolsets: toolsets, disabledToolsets: disabledToolsets.length > 0 ? disabledToolsets : undefined,
    contextWindow, compression, maxRetries, prices, systemPrompt: personality?.text,
    delegate: delegate ? undefined : false, surroundings, autoCommit, saveTrajectories, quiet: true, ...run,
  }
}
