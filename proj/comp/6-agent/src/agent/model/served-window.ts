import { isRecord } from '../../../../0-contracts/src/index.js'

/** Size of a server's context window: `exact` where the server states it, else what its model was trained for. */
export interface ServedWindow {
  tokens: number
  isExact: boolean
}

/** Names of the field in services' lists of models. */
const NAMES = ['max_model_len', 'context_length', 'context_window', 'max_context_length'] as const
const LEAST = 256

/**
 * Reads `GET /v1/models` of vLLM, OpenRouter, Groq, Mistral, …; llama.cpp gives there only what the model was trained
 * for.
 */
export function windowOfModels(list: unknown, model: string): ServedWindow | undefined {
  const entries = isRecord(list) && Array.isArray(list['data']) ? list['data'].filter(isRecord) : []
  // A server with a single model accepts any name.
  const entry = entries.find(({ id }) => id === model) ?? (entries.length === 1 ? entries[0] : undefined)
  if (!entry) return undefined
  const exact = NAMES.map((name) => tokensOf(entry[name])).find((tokens) => tokens !== undefined)
  if (exact !== undefined) return { tokens: exact, isExact: true }
  const { meta } = entry
  const trained = isRecord(meta) ? tokensOf(meta['n_ctx_train']) : undefined
  return trained === undefined ? undefined : { tokens: trained, isExact: false }
}

/** Reads `GET /props` of llama.cpp: the window of one slot, as the server was started. */
export function windowOfProps(props: unknown): ServedWindow | undefined {
  const settings = isRecord(props) ? props['default_generation_settings'] : undefined
  const tokens = (isRecord(settings) ? tokensOf(settings['n_ctx']) : undefined)
    ?? (isRecord(props) ? tokensOf(props['n_ctx']) : undefined)
  return tokens === undefined ? undefined : { tokens, isExact: true }
}

/** Reads `POST /api/show` of Ollama: what the model file sets, else what the model was trained for. */
export function windowOfShow(shown: unknown): ServedWindow | undefined {
  if (!isRecord(shown)) return undefined
  const { parameters, model_info: info } = shown
  const set = typeof parameters === 'string' ? /^\s*num_ctx\s+(\d+)/m.exec(parameters)?.[1] : undefined
  const chosen = tokensOf(Number(set))
  if (chosen !== undefined) return { tokens: chosen, isExact: true }
  const made = isRecord(info) ? Object.entries(info).find(([name]) => name.endsWith('.context_length')) : undefined
  const tokens = tokensOf(made?.[1])
  return tokens === undefined ? undefined : { tokens, isExact: false }
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= LEAST ? value : undefined
}
