import type { ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'
import type { RunPlace } from './format.js'

/** What writes the report of a run. */
export interface RunReport {
  /** What the run has to tell for it. */
  options: { changeTexts?: true }
  /** Listens to the run, where the report needs that. */
  listener?: { event(event: HermesEvent): void }
  /** The text of the run as it comes, which a report may keep. */
  reading(pieces: AsyncIterable<string>): AsyncIterable<string>
  /**
   * @param answer the whole text, where it did not come in pieces
   * @param document what `--json` prints
   * @throws HermesError where it cannot be written
   */
  write(result: ExecutionResult, answer: string | undefined, document: object): Promise<void>
}

/** Of the answer, in UTF-16 units: as much as the longest block. */
const MOST_ANSWER = 64 * 1024 * 1024
const NO_REPORT: RunReport = { options: {}, reading: (pieces) => pieces, write: async () => undefined }
const HINT = 'The blocks did run: do not run them again for the report. Use --json for the result next time.'

/**
 * What writes the report of a run. The name is checked at once: after the run it would be too late.
 *
 * @param file without one there is no report
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that does not exist
 */
export async function runReport(file: string | undefined, place: RunPlace): Promise<RunReport> {
  if (file === undefined) return NO_REPORT
  // One more file to open, for runs that have a report.
  const { formatOfFile, writeReport } = await import('./report-file.js')
  const renderer = await formatOfFile(file, 'run').run?.(place)
  if (!renderer) return NO_REPORT
  const listen = renderer.event
  const kept: string[] = []
  let room = MOST_ANSWER
  return {
    options: listen ? { changeTexts: true } : {},
    ...(listen && { listener: { event: listen } }),
    async *reading(pieces) {
      for await (const piece of pieces) {
        if (listen && room >= 0) {
          kept.push(piece.length <= room ? piece
            : `${piece.slice(0, room)}\n[What follows is left out here: the answer is very long.]\n`)
          room -= piece.length
        }
        yield piece
      }
    },
    async write(result, answer, document) {
      writeReport(file, renderer.render({ result, answer: answer ?? kept.join(''), document }), HINT)
    },
  }
}
