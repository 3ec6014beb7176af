/** Where models of all makers are (seed 003 `base_url`). */
export const OPENROUTER = 'https://openrouter.ai/api/v1'
export const OPENAI = 'https://api.openai.com/v1'
export const ANTHROPIC = 'https://api.anthropic.com/v1'

/** The interfaces that model servers have: chat completions and Responses of OpenAI, Messages of Anthropic. */
export const MODEL_APIS = ['chat', 'responses', 'anthropic'] as const
export type ModelApi = typeof MODEL_APIS[number]

type Keys = Readonly<Record<string, string | undefined>>

/**
 * The variable whose key goes with an address. A key is never sent to another server than the one it is for: those of
 * OpenRouter and Anthropic only there, that of OpenAI only where the user himself said the address.
 */
export function keyFor(baseURL: string): 'OPENROUTER_API_KEY' | 'ANTHROPIC_API_KEY' | 'OPENAI_API_KEY' {
  const { hostname } = new URL(baseURL)
  if (hostname === new URL(ANTHROPIC).hostname) return 'ANTHROPIC_API_KEY'
  return hostname === 'openrouter.ai' || hostname.endsWith('.openrouter.ai') ? 'OPENROUTER_API_KEY' : 'OPENAI_API_KEY'
}

/** Where a model is where nobody says it: at the service whose key is there, OpenRouter first. */
export function presetServer(api: ModelApi | undefined, keys: Keys): string {
  if (api === 'anthropic') return ANTHROPIC
  if (keys['OPENROUTER_API_KEY']) return OPENROUTER
  if (keys['OPENAI_API_KEY']) return OPENAI
  return keys['ANTHROPIC_API_KEY'] && api === undefined ? ANTHROPIC : OPENROUTER
}

/** What a server speaks where nobody says it. */
export function presetApi(baseURL: string): ModelApi {
  return keyFor(baseURL) === 'ANTHROPIC_API_KEY' ? 'anthropic' : 'chat'
}

/** What goes with each request to a server that speaks so, the key among it. */
export function keyHeaders(api: ModelApi, apiKey: string): Record<string, string> {
  return api === 'anthropic' ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${apiKey}` }
}
