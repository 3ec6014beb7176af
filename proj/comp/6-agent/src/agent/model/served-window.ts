import { isRecord } from '../../../../0-contracts/src/index.js'

/** How much a server takes: `exact` where it says so itself, else what its model was made for. */
export interface ServedWindow {
  tokens: number
  isExact: boolean
}

/** What services call it in their lists of models. */
const NAMES = ['max_model_len', 'context_length', 'context_window', 'max_context_length'] as const
const LEAST = 256

/** `GET /v1/models`: vLLM, OpenRouter, Groq, Mistral, …; llama.cpp says there only what the model was made for. */
export function windowOfModels(list: unknown, model: string): ServedWindow | undefined {
  const entries = isRecord(list) && Array.isArray(list['data']) ? list['data'].filter(isRecord) : []
  // A server of one model answers to any name.
  const entry = entries.find(({ id }) => id === model) ?? (entries.length === 1 ? entries[0] : undefined)
  if (!entry) return undefined
  const exact = NAMES.map((name) => tokensOf(entry[name])).find((tokens) => tokens !== undefined)
  if (exact !== undefined) return { tokens: exact, isExact: true }
  const { meta } = entry
  const trained = isRecord(meta) ? tokensOf(meta['n_ctx_train']) : undefined
  return trained === undefined ? undefined : { tokens: trained, isExact: false }
}

/** `GET /props` of llama.cpp: of one slot, as the server was started. */
export function windowOfProps(props: unknown): ServedWindow | undefined {
  const settings = isRecord(props) ? props['default_generation_settings'] : undefined
  const tokens = (isRecord(settings) ? tokensOf(settings['n_ctx']) : undefined)
    ?? (isRecord(props) ? tokensOf(props['n_ctx']) : undefined)
  return tokens === undefined ? undefined : { tokens, isExact: true }
}

/** `POST /api/show` of Ollama: what the model file sets, else what the model was made for. */
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
