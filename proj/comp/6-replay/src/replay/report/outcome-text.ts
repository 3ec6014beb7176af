import { isRecord } from '../../../../0-contracts/src/index.js'
import type { RecordedOutcome } from '../../../../2-transcripts/src/index.js'
import type { Normalizer } from '../compare/normalizer.js'

/**
 * A result as lines that can be compared and shown side by side: a line a field, texts of several lines a line each.
 * Hints are left out: they advise, and their words may change.
 */
export function outcomeText({ success, code, error, data }: RecordedOutcome, normalizer: Normalizer): string {
  return fieldLines('', normalizer.value({
    success, ...(code !== undefined && { code }), ...(error !== undefined && { error }),
    ...(data !== undefined && { data }),
  })).join('\n')
}

function fieldLines(path: string, value: unknown): string[] {
  if (typeof value === 'string' && value.includes('\n')) {
    return [`${path}:`, ...value.split('\n').map((line) => `  | ${line}`)]
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${path}: []`]
      : value.flatMap((one: unknown, index) => fieldLines(`${path}[${index}]`, one))
  }
  if (!isRecord(value)) return [`${path}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
  const names = Object.keys(value).sort()
  if (names.length === 0 && path !== '') return [`${path}: {}`]
  return names.flatMap((name) => fieldLines(path === '' ? name : `${path}.${name}`, value[name]))
}
