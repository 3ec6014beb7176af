import { isRecord } from '../../../0-contracts/src/index.js'
import type { DecidingSettings } from './compare/fingerprint.js'
import { parsedJson } from './compare/parsed-json.js'

/** What is kept of one thing that was run, and decides whether it is run again. */
export interface KeptReport {
  /** SHA-256 of its content. */
  id: string
  /** What it is called, where it is. */
  name?: string
  counts: Readonly<Record<string, number>>
  drifted: boolean
  /** Why it did not come to its end. */
  error?: { code: string; message: string }
  /** What is to be known of it besides: that its workspace could not be removed. */
  note?: string
}

/** One line of a part: what came of one thing that was run. */
export interface Entry<Report extends KeptReport = KeptReport> {
  /** That of the report. */
  id: string
  settings: DecidingSettings
  report: Report
  /** As a line of training data, parsed. */
  trajectory?: unknown
}

/** `undefined` for what is no entry. */
export function parsedEntry<Report extends KeptReport>(text: string): Entry<Report> | undefined {
  const value = parsedJson(text)
  const isEntry = isRecord(value) && typeof value['id'] === 'string' && isRecord(value['settings'])
    && isRecord(value['report'])
    && isRecord(value['report']['counts'])
  return isEntry ? value as unknown as Entry<Report> : undefined
}
