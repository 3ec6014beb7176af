import type { HermesError } from '../../../0-contracts/src/index.js'
import { contentHash, type Transcript } from '../../../2-transcripts/src/index.js'
import { noCounts, type TranscriptReport } from './replay-model.js'
import type { Replayed } from './replay-transcript.js'

/** What is told of a transcript that could not be run at all. */
export function unrunReport(
  transcript: Transcript, { code, message, hint }: Pick<HermesError, 'code' | 'message' | 'hint'>,
): Replayed & { report: TranscriptReport } {
  const { name, file, line, format } = transcript
  return {
    report: {
      id: contentHash(transcript), name, file, line, format, counts: noCounts(), blocks: [], drifted: true,
      durationMs: 0, error: { code, message, ...(hint !== undefined && { hint }) },
    },
  }
}
