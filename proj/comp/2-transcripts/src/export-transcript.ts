import { HermesError } from '../../0-contracts/src/index.js'
import { didYouMean } from '../../0-text/src/index.js'
import { toAnthropic } from './export-anthropic.js'
import { toOpenAi, toResponses } from './export-openai.js'
import { toShareGpt } from './export-sharegpt.js'
import { exportTurns, type ExportTurn } from './export-steps.js'
import { toVercel } from './export-vercel.js'
import type { SavedRewrites } from './rewritten/index.js'
import type { Transcript } from './transcript-model.js'

/** Formats in which a trajectory can be written. */
export const EXPORT_FORMATS = ['sharegpt', 'openai', 'responses', 'anthropic', 'vercel'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const WRITERS: Readonly<Record<ExportFormat, (turns: readonly ExportTurn[], tools: unknown) => object>> = {
  sharegpt: toShareGpt, openai: toOpenAi, responses: toResponses, anthropic: toAnthropic, vercel: toVercel,
}

/**
 * Writes a transcript as one line of JSONL, without its line feed. Reading it yields the same calls, texts and results;
 * settings of the run, such as the root, are in the field `hermes`.
 *
 * @param rewrites how extensions changed its answers, which are written as the model wrote them
 */
export function exportTranscript(
  transcript: Transcript, format: ExportFormat, rewrites: readonly SavedRewrites[] = [],
): string {
  const { root, rootAliases, settings, tools } = transcript
  const hermes = {
    ...(root !== undefined && { root }), ...(rootAliases && rootAliases.length > 0 && { rootAliases }), ...settings,
    ...(rewrites.length > 0 && { rewrites }),
  }
  const written = WRITERS[format](exportTurns(transcript), tools)
  return JSON.stringify({ ...written, ...(Object.keys(hermes).length > 0 && { hermes }) })
}

/** @throws HermesError `INVALID_OPTION` */
export function exportFormat(name: string): ExportFormat {
  const format = EXPORT_FORMATS.find((known) => known === name)
  if (format !== undefined) return format
  throw new HermesError('INVALID_OPTION', `Unknown format of trajectories: ${name}`, {
    hint: `${didYouMean(name, EXPORT_FORMATS)}Formats: ${EXPORT_FORMATS.join(', ')}.`,
  })
}
