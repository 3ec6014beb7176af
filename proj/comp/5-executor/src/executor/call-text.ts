import { join } from 'node:path'
import { HermesError, isNodeError, type ActionResult } from '../../../0-contracts/src/index.js'
import { renderCall, type CallText } from '../../../1-reports/src/index.js'
import { runDirectory, writeOwn } from '../../../2-files/src/index.js'

export type ShownResult = Pick<ActionResult, 'seq' | 'action' | 'params' | 'ranAs' | 'data'>

export interface CallTextOptions {
  /** Bound of the text. Default: `DEFAULT_CALL_TOKENS`. */
  tokens?: number | undefined
  /** Where the whole may be kept; without it nothing is. */
  keptBy?: { root: string; runId: string } | undefined
}

/**
 * What one call gave, as text for a model. Where that is not all, the whole is kept as YAML, which has a line for each
 * line and item of it, in the directory of the run, and the text names it.
 */
export async function callText(
  { seq, data, ...call }: ShownResult, { tokens, keptBy }: CallTextOptions,
): Promise<CallText> {
  const bound = tokens === undefined ? {} : { tokens }
  const json = asJson(data)
  if (!json) return renderCall({ ...call, data: 'The data has no form in JSON and is left out.' }, bound)
  const result = { ...call, data: json.value }
  if (!keptBy) return renderCall(result, bound)
  const name = `${seq}.result.yaml`
  const place = `.hermes/runs/${keptBy.runId}/${name}`
  const shown = renderCall(result, { ...bound, wholeIn: `${keptBy.root}/${place}` })
  // Where a call can read on, the text needs no copy.
  if (!shown.truncated || !shown.text.includes(place)) return shown
  return await keep(json.value, name, keptBy) ? shown : renderCall(result, bound)
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

/** False where the root cannot be written: the call did what it should all the same. */
async function keep(data: unknown, name: string, { root, runId }: { root: string; runId: string }): Promise<boolean> {
  const { dump } = await import('js-yaml')
  try {
    writeOwn(join(runDirectory(root, runId), name), dump(data, { noRefs: true, lineWidth: -1 }), { isDurable: false })
    return true
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof HermesError)) throw error
    return false
  }
}
