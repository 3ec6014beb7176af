import { plural } from '../../../1-reports/src/index.js'
import type { Transcript } from '../../../2-transcripts/src/index.js'
import { DRIFTS, type BlockReport, type TranscriptReport } from './replay-model.js'

/** Most reasons that a note has. */
const MOST_REASONS = 5

/** What is to be said of a transcript in which nothing was found, though its assistant speaks. */
export function emptyNote({ turns }: Transcript, { counts, error }: TranscriptReport): string | undefined {
  const answers = turns.filter((turn) => turn.role === 'assistant' && (turn.text !== '' || turn.calls.length > 0))
  if (answers.length === 0 || error || Object.values(counts).some((count) => count > 0)) return undefined
  return `neither blocks nor calls were found in what the assistant says (${plural(answers.length, 'turn')})`
}

/** Results that differ, and say nothing: what they started from is not in the recording. */
export function incomparableNote({ blocks }: TranscriptReport): string | undefined {
  const blockReports = blocks.filter(({ outcome, reason }) => outcome === 'unrecorded' && reason !== undefined)
  if (blockReports.length === 0) return undefined
  return `${plural(blockReports.length, 'result')} cannot be compared, since the recording lacks what `
    + `${blockReports.length === 1 ? 'it' : 'they'} started from: ${reasonsOf(blockReports)}`
}

/** Results that differ, and perhaps only since a program read something that is not in the recording. */
export function unseenNote({ blocks }: TranscriptReport): string | undefined {
  const short = blocks.filter(({ outcome, reason }) => DRIFTS.has(outcome) && reason !== undefined)
  if (short.length === 0) return undefined
  return `if the ${short.length === 1 ? 'command that differs reads' : `${short.length} commands that differ read`} `
    + `what the recording lacks, give it by --fixture DIR: ${reasonsOf(short)}`
}

function reasonsOf(blocks: readonly BlockReport[]): string {
  const reasons = [...new Set(blocks.map(({ reason }) => reason))]
  const more = reasons.length > MOST_REASONS ? `, and ${reasons.length - MOST_REASONS} more` : ''
  return `${reasons.slice(0, MOST_REASONS).join('; ')}${more}`
}
