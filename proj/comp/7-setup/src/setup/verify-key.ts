import { keyFor, keyHeaders, presetApi } from '../../../2-config/src/index.js'

const TIMEOUT_MS = 15_000

export interface KeyVerdict {
  works: boolean | undefined
  /** One line, without the key. */
  detail: string
}

/**
 * Asks the server of a key, in one request, whether it takes it. Redirects are not followed: the key would go along.
 */
export async function verifyKey(baseURL: string, apiKey: string | undefined, signal: AbortSignal): Promise<KeyVerdict> {
  // The list of models is public at OpenRouter.
  const url = `${baseURL}/${keyFor(baseURL) === 'OPENROUTER_API_KEY' ? 'key' : 'models'}`
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : keyHeaders(presetApi(baseURL), apiKey), redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    if (response.ok) return { works: true, detail: `${url} accepts it` }
    const isRefused = response.status === 401 || response.status === 403
    return {
      works: isRefused ? false : undefined,
      detail: `${url} answers ${response.status}`
        + (isRefused ? ': it refuses the key' : ', which says nothing of the key'),
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    const cause = error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : ''
    return {
      works: undefined,
      detail: `${url} cannot be reached${error.name === 'TimeoutError' ? ` in ${TIMEOUT_MS / 1000} s` : cause}`,
    }
  }
}
