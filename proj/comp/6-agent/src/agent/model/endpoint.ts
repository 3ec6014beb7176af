import { HermesError } from '../../../../0-contracts/src/index.js'
import { keyFor, OPENAI, presetApi, presetServer, type ModelApi } from '../../../../2-config/src/index.js'
import type { AgentOptions } from '../loop-options.js'

const CUSTOM_HEADERS = 'OPENAI_CUSTOM_HEADERS'

export interface Endpoint {
  baseURL: string
  api: ModelApi
  /** A secret. */
  apiKey: string
  /** Those of the environment that belong there; they may be secrets too. */
  headers: Readonly<Record<string, string>>
}

/**
 * Where the model is, and the key for it. A key of the environment is never sent to another server than the one it is
 * for.
 *
 * @throws HermesError `INVALID_OPTION` where there is none for a public service
 */
export function endpointOf(
  { baseURL, apiKey, api }: Pick<AgentOptions, 'baseURL' | 'apiKey' | 'api'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Endpoint {
  const own = (name: string): string | undefined => (env[name] === '' ? undefined : env[name])
  const url = baseURL ?? (api === 'anthropic' ? undefined : own('OPENAI_BASE_URL')) ?? presetServer(api, env)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new HermesError('INVALID_OPTION', `Invalid option baseURL: ${url}`, {
      hint: 'Give an address such as https://openrouter.ai/api/v1.',
    })
  }
  const { hostname } = new URL(url)
  const name = keyFor(url)
  // That of the environment goes to the address of the environment, or to its own service.
  const isPublic = name !== 'OPENAI_API_KEY' || hostname === new URL(OPENAI).hostname
  const isKnown = isPublic || url === own('OPENAI_BASE_URL')
  const key = apiKey ?? (isKnown ? own(name) : undefined)
  if (key === undefined && isPublic) {
    throw new HermesError('INVALID_OPTION', `No API key for ${hostname}`, { hint: `Set ${name}, or give apiKey.` })
  }
  const isOfOpenAi = name === 'OPENAI_API_KEY' && isKnown
  // Servers of one's own take any.
  return {
    baseURL: url, api: api ?? presetApi(url), apiKey: key ?? 'none',
    headers: isOfOpenAi ? customHeaders(own(CUSTOM_HEADERS)) : {},
  }
}

/** As OpenAI's own client reads them: lines `name: value`. */
function customHeaders(written = ''): Record<string, string> {
  const lines = written.split('\n').filter((line) => line.includes(':'))
  return Object.fromEntries(lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  }))
}
