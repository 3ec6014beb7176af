import { join } from 'node:path'
import { dump } from 'js-yaml'
import { HermesError, isNodeError, type ActionResult, type ExecutionResult } from '../../../0-contracts/src/index.js'
import { renderCall, renderReply, type CallText, type ReplyOptions } from '../../../1-reports/src/index.js'
import { runDirectory, writeOwn } from '../../../2-files/src/index.js'

export type ShownResult = Pick<ActionResult, 'seq' | 'action' | 'params' | 'ranAs' | 'data'>

/** By which run the whole of what is cut is kept. */
export interface KeptBy {
  /** Canonical. */
  root: string
  runId: string
}

/**
 * What one call gave, as text for a model. Where that is not all, and no call reads on, the whole is kept as YAML (a
 * line for each line and item of it) in the directory of the run, and the text names it.
 *
 * @param keptBy nothing is kept without it
 */
export function callText(
  { seq, data, ...call }: ShownResult, tokens: number | undefined, keptBy: KeptBy | undefined,
): CallText {
  const bound = tokens === undefined ? {} : { tokens }
  const json = asJson(data)
  if (!json) return renderCall({ ...call, data: 'The data has no form in JSON and is left out.' }, bound)
  const result = { ...call, data: json.value }
  if (!keptBy) return renderCall(result, bound)
  const shown = renderCall(result, { ...bound, wholeIn: fileOf(seq, keptBy) })
  return keepNamed([{ seq, data: json.value }], shown.text, keptBy) ? shown : renderCall(result, bound)
}

/** The reply to a whole answer; what is cut of its calls is kept as that of one call is. */
export function replyText(result: ExecutionResult, options: ReplyOptions, keptBy: KeptBy | undefined): string {
  if (!keptBy) return renderReply(result, options)
  const { seen } = options
  const shown: [key: string, text: string][] = []
  const text = renderReply(result, {
    ...options, wholeIn: ({ seq }) => fileOf(seq, keptBy),
    // Not before it is certain that this text is the one that is shown.
    ...(seen && { seen: { has: (key, content) => seen.has(key, content), add: (...one) => shown.push(one) } }),
  })
  if (!keepNamed(result.results, text, keptBy)) return renderReply(result, options)
  for (const one of shown) seen?.add(...one)
  return text
}

/** Absolute, since SHAM's verbs take no other path. */
function fileOf(seq: number, keptBy: KeptBy): string {
  return `${keptBy.root}/${placeOf(seq, keptBy)}`
}

function placeOf(seq: number, { runId }: KeptBy): string {
  return `.hermes/runs/${runId}/${nameOf(seq)}`
}

function nameOf(seq: number): string {
  return `${seq}.result.yaml`
}

/**
 * Keeps those results whose file a text names.
 *
 * @returns false where the root cannot be written: the calls did what they should all the same
 */
function keepNamed(results: readonly Pick<ActionResult, 'seq' | 'data'>[], text: string, keptBy: KeptBy): boolean {
  try {
    for (const { seq, data } of results) {
      if (!text.includes(placeOf(seq, keptBy))) continue
      const directory = runDirectory(keptBy.root, keptBy.runId)
      const yaml = dump(asJson(data)?.value ?? null, { noRefs: true, lineWidth: -1 })
      writeOwn(join(directory, nameOf(seq)), yaml, { isDurable: false })
    }
    return true
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof HermesError)) throw error
    return false
  }
}

/** Verbs of one's own may return anything. `undefined` for what has no form in JSON. */
function asJson(data: unknown): { value: unknown } | undefined {
  try {
    const json: string | undefined = JSON.stringify(data)
    return { value: json === undefined ? undefined : JSON.parse(json) }
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}
