/** Where models of all makers are (seed 003 `base_url`). */
export const OPENROUTER = 'https://openrouter.ai/api/v1'
export const OPENAI = 'https://api.openai.com/v1'

/**
 * The variable whose key goes with an address. A key is never sent to another server than the one it is for: that of
 * OpenRouter only there, that of OpenAI only where the user himself said the address.
 */
export function keyFor(baseURL: string): 'OPENROUTER_API_KEY' | 'OPENAI_API_KEY' {
  const { hostname } = new URL(baseURL)
  return hostname === 'openrouter.ai' || hostname.endsWith('.openrouter.ai') ? 'OPENROUTER_API_KEY' : 'OPENAI_API_KEY'
}
