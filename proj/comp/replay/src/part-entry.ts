import { isRecord } from '../../contracts/src/index.js'
import type { DecidingSettings } from './fingerprint.js'
import type { TranscriptReport } from './model.js'
import { parsedJson } from './parsed-json.js'

/** One line of a part: what came of one transcript. */
export interface Entry {
  /** SHA-256 of the transcript's content. */
  id: string
  settings: DecidingSettings
  report: TranscriptReport
  /** As a line of training data, parsed. */
  trajectory?: unknown
}

/** `undefined` for what is no entry. */
export function parsedEntry(text: string): Entry | undefined {
  const value = parsedJson(text)
  const isEntry = isRecord(value) && typeof value['id'] === 'string' && isRecord(value['settings']) && isRecord(value['report'])
    && isRecord(value['report']['counts'])
  return isEntry ? value as unknown as Entry : undefined
}
