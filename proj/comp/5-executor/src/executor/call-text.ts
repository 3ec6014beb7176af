import { join } from 'node:path'
import { dump } from 'js-yaml'
import { type ActionResult, type ExecutionResult, ifPossible } from '../../../0-contracts/src/index.js'
import { renderCall, renderReply, type CallText, type ReplyOptions } from '../../../1-reports/src/index.js'
import { runDirectory, writeOwn } from '../../../2-files/src/index.js'

export type ShownResult = Pick<ActionResult, 'seq' | 'action' | 'params' | 'ranAs' | 'data'>

/** The run that keeps the full data of results that are cut. */
export interface KeptBy {
  /** Absolute path with links resolved. */
  root: string
  runId: string
}

/**
 * Renders one call's result as text for a model. Where the text is cut and no call can read the rest, the full data is
 * kept as YAML (one line for each line and item) in the directory of the run, and the text names that file.
 *
 * @param keptBy without it nothing is kept
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

/** Renders the reply to a whole answer; the full data of cut results is kept as in `callText`. */
export function replyText(result: ExecutionResult, options: ReplyOptions, keptBy: KeptBy | undefined): string {
  if (!keptBy) return renderReply(result, options)
  const { seen } = options
  const shown: [key: string, text: string][] = []
  const text = renderReply(result, {
    ...options, wholeIn: ({ seq }) => fileOf(seq, keptBy),
    // Mark contents as seen only once it is certain that this text is the one shown.
    ...(seen && { seen: { has: (key, content) => seen.has(key, content), add: (...entry) => shown.push(entry) } }),
  })
  if (!keepNamed(result.results, text, keptBy)) return renderReply(result, options)
  for (const entry of shown) seen?.add(...entry)
  return text
}

/** An absolute path, since SHAM's verbs accept no other. */
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
 * Keeps the full data of each result whose file is named in the text.
 *
 * @returns false where the root cannot be written; the calls themselves succeeded all the same
 */
function keepNamed(results: readonly Pick<ActionResult, 'seq' | 'data'>[], text: string, keptBy: KeptBy): boolean {
  return ifPossible(() => {
    for (const { seq, data } of results) {
      if (!text.includes(placeOf(seq, keptBy))) continue
      const directory = runDirectory(keptBy.root, keptBy.runId)
      const yaml = dump(asJson(data)?.value ?? null, { noRefs: true, lineWidth: -1 })
      writeOwn(join(directory, nameOf(seq)), yaml, { isDurable: false })
    }
    return true
  }, false)
}

/**
 * The data as JSON would carry it; `undefined` where it has no JSON form, since the user's own verbs may return
 * anything.
 */
function asJson(data: unknown): { value: unknown } | undefined {
  try {
    const json: string | undefined = JSON.stringify(data)
    return { value: json === undefined ? undefined : JSON.parse(json) }
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}
