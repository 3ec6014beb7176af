import { usageError } from '../../../../0-text/src/index.js'
import { keyFor, OPENAI, presetApi, presetServer, type ModelApi } from '../../../../2-config/src/index.js'
import type { AgentOptions } from '../loop-options.js'

const CUSTOM_HEADERS = 'OPENAI_CUSTOM_HEADERS'

export interface Endpoint {
  baseURL: string
  api: ModelApi
  /** Secret. */
  apiKey: string
  /** Headers from the environment that belong to this server; they may be secret too. */
  headers: Readonly<Record<string, string>>
}

/**
 * The model server's address and key. A key from the environment is never sent to a server other than its own.
 *
 * @throws HermesError `INVALID_OPTION` where a public service has no key
 */
export function endpointOf(
  { baseURL, apiKey, api }: Pick<AgentOptions, 'baseURL' | 'apiKey' | 'api'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Endpoint {
  const own = (name: string): string | undefined => (env[name] === '' ? undefined : env[name])
  const url = baseURL ?? (api === 'anthropic' ? undefined : own('OPENAI_BASE_URL')) ?? presetServer(api, env)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw usageError(`Invalid option baseURL: ${url}`, 'Give an address such as https://openrouter.ai/api/v1.')
  }
  const { hostname } = new URL(url)
  const name = keyFor(url)
  // OpenAI's key from the environment goes only to the environment's address, or to OpenAI.
  const isPublic = name !== 'OPENAI_API_KEY' || hostname === new URL(OPENAI).hostname
  const isKnown = isPublic || url === own('OPENAI_BASE_URL')
  const key = apiKey ?? (isKnown ? own(name) : undefined)
  if (key === undefined && isPublic) throw usageError(`No API key for ${hostname}`, `Set ${name}, or give apiKey.`)
  const isOfOpenAi = name === 'OPENAI_API_KEY' && isKnown
  // Self-hosted servers accept any key.
  return {
    baseURL: url, api: api ?? presetApi(url), apiKey: key ?? 'none',
    headers: isOfOpenAi ? customHeaders(own(CUSTOM_HEADERS)) : {},
  }
}

/** Reads lines `name: value`, as OpenAI's own client does. */
function customHeaders(written = ''): Record<string, string> {
  const lines = written.split('\n').filter((line) => line.includes(':'))
  return Object.fromEntries(lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  }))
}
