import * as v from 'valibot'
import { HermesError } from '../../../0-contracts/src/index.js'

/** An endpoint with OpenAI's embeddings API. Only the user's environment names it, never a model's text. */
export interface EmbeddingSettings {
  /** `…/embeddings`. */
  url: string
  model: string
  key?: string
}

/**
 * Reads `HERMES_EMBEDDINGS_URL` (the base, e.g. `http://localhost:11434/v1`), `HERMES_EMBEDDINGS_MODEL` and
 * `HERMES_EMBEDDINGS_KEY`.
 *
 * @returns `undefined` where no URL is set
 * @throws HermesError `INVALID_OPTION` for an incomplete or wrong setting; the message contains no values
 */
export function embeddingSettings(env: NodeJS.ProcessEnv): EmbeddingSettings | undefined {
  const { HERMES_EMBEDDINGS_URL: base = '', HERMES_EMBEDDINGS_MODEL: model = '', HERMES_EMBEDDINGS_KEY: key = '' } = env
  if (base === '') return undefined
  const written = `${base.replace(/\/+$/, '')}/embeddings`
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new HermesError('INVALID_OPTION', 'HERMES_EMBEDDINGS_URL must be an http or https URL without a password')
  }
  if (model === '') throw new HermesError('INVALID_OPTION', 'HERMES_EMBEDDINGS_MODEL is not set')
  return { url: url.href, model, ...(key !== '' && { key }) }
}

const answer = v.object({
  data: v.array(v.object({
    index: v.pipe(v.number(), v.integer(), v.minValue(0)),
    embedding: v.pipe(v.array(v.pipe(v.number(), v.finite())), v.minLength(1)),
  })),
})

/**
 * Requests one vector for each text, in order.
 *
 * @throws HermesError `TIMEOUT`, or `INTERNAL` for any other failure; the message contains nothing of request or
 * response, which may repeat the key
 */
export async function embed(
  texts: readonly string[], settings: EmbeddingSettings, timeoutMs: number, signal: AbortSignal,
): Promise<number[][]> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(settings.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json', ...(settings.key && { authorization: `Bearer ${settings.key}` }),
      },
      body: JSON.stringify({ model: settings.model, input: texts }),
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw failure(`HTTP ${response.status}`)
    }
    return inOrder(v.parse(answer, await response.json()).data, texts.length)
  } catch (error) {
    if (error instanceof HermesError) throw error
    if (timeout.aborted) throw new HermesError('TIMEOUT', `no answer within ${timeoutMs / 1000}s`, { cause: error })
    throw failure(causeOf(error))
  }
}

function inOrder(data: v.InferOutput<typeof answer>['data'], count: number): number[][] {
  const vectors = [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  const isWhole = vectors.length === count && data.every(({ index }) => index < count)
    && new Set(data.map(({ index }) => index)).size === count
    && vectors.every(({ length }) => length === vectors[0]?.length)
  if (!isWhole) throw failure(NOT_EMBEDDINGS)
  return vectors
}

const NOT_EMBEDDINGS = 'the answer does not hold one vector for each text'

function causeOf(error: unknown): string {
  if (error instanceof v.ValiError || error instanceof SyntaxError) return NOT_EMBEDDINGS
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : 'the request failed'
}

function failure(message: string): HermesError {
  return new HermesError('INTERNAL', message)
}
