import { replaceSection, type RecordedResult, type ResultPlace } from '../../../../2-transcripts/src/index.js'
import { JsonText } from '../compare/json-text.js'
import type { MadeResult } from '../replay-transcript.js'
import type { UpdateCounts } from './update-model.js'

interface PutOptions {
  /** Length of the path prefix that leads to the record. */
  depth: number
  counts: UpdateCounts
}

/** Writes results into the text of a record. @returns `undefined` where nothing changes */
export function putResults(
  text: string, made: readonly MadeResult[], { depth, counts }: PutOptions,
): string | undefined {
  const json = new JsonText(text)
  for (const { result } of made) {
    if (result?.place && putOne(json, result, { ...result.place, path: result.place.path.slice(depth) })) counts.put++
    else counts.without++
  }
  const now = json.toString()
  return now === text ? undefined : now
}

function putOne(json: JsonText, { text, outcome, isError }: RecordedResult, { path, section }: ResultPlace): boolean {
  if (path.length === 0 || !json.has(path)) return false
  const before = json.value(path)
  // An unchanged result keeps its form.
  const isSame = (typeof before === 'string' ? before : JSON.stringify(before)) === text
  if (section !== undefined) {
    if (isSame) return true
    if (typeof before !== 'string') return false
    json.replace(path, replaceSection(before, section, text))
    return true
  }
  if (!isSame) json.replace(path, typeof before === 'object' && outcome ? outcome : text)
  const holder = path.slice(0, -1)
  if (json.value([...holder, 'type']) !== 'tool_result') return true
  if (json.has([...holder, 'is_error'])) json.replace([...holder, 'is_error'], isError === true)
  else if (isError === true) json.add(holder, 'is_error', true)
  return true
}
