import { HermesError } from '../../0-contracts/src/index.js'
import { nearest } from '../../0-text/src/index.js'
import { toAnthropic } from './export-anthropic.js'
import { toOpenAi, toResponses } from './export-openai.js'
import { toShareGpt } from './export-sharegpt.js'
import { toVercel } from './export-vercel.js'
import type { SavedRewrites } from './rewritten/index.js'
import type { Transcript } from './transcript-model.js'

/** The formats a trajectory can be written in. */
export const EXPORT_FORMATS = ['sharegpt', 'openai', 'responses', 'anthropic', 'vercel'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const WRITERS: Readonly<Record<ExportFormat, (transcript: Transcript) => object>> = {
  sharegpt: toShareGpt, openai: toOpenAi, responses: toResponses, anthropic: toAnthropic, vercel: toVercel,
}

/**
 * A transcript as one line of JSONL, without its line feed. Reading it gives the same calls, texts and results; what
 * decides how they run, such as the root, stands under `hermes`.
 *
 * @param rewrites what extensions made of its answers, which are as the model wrote them
 */
export function exportTranscript(
  transcript: Transcript, format: ExportFormat, rewrites: readonly SavedRewrites[] = [],
): string {
  const { root, rootAliases, settings } = transcript
  const hermes = {
    ...(root !== undefined && { root }), ...(rootAliases && rootAliases.length > 0 && { rootAliases }), ...settings,
    ...(rewrites.length > 0 && { rewrites }),
  }
  return JSON.stringify({ ...WRITERS[format](transcript), ...(Object.keys(hermes).length > 0 && { hermes }) })
}

/** @throws HermesError `INVALID_OPTION` */
export function exportFormat(name: string): ExportFormat {
  const format = EXPORT_FORMATS.find((one) => one === name)
  if (format !== undefined) return format
  const meant = nearest(name, EXPORT_FORMATS)
  throw new HermesError('INVALID_OPTION', `Unknown format of trajectories: ${name}`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Formats: ${EXPORT_FORMATS.join(', ')}.`,
  })
}
