import type { ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'
import type { RunPlace } from './format.js'

/** What writes the reports of a run. */
export interface RunReport {
  /** What the run has to tell for them. */
  options: { changeTexts?: true }
  /** Listens to the run, where a report needs that. */
  listener?: { event(event: HermesEvent): void }
  /** The text of the run as it comes, which a report may keep. */
  reading(pieces: AsyncIterable<string>): AsyncIterable<string>
  /**
   * @param answer the whole text, where it did not come in pieces
   * @param document what `--json` prints
   * @throws HermesError where one cannot be written; the others are
   */
  write(result: ExecutionResult, answer: string | undefined, document: object): Promise<void>
}

/** Of the answer, in UTF-16 units: as much as the longest block. */
const MOST_ANSWER = 64 * 1024 * 1024
const NO_REPORT: RunReport = { options: {}, reading: (pieces) => pieces, write: async () => undefined }
const HINT = 'The blocks did run: do not run them again for the report. Use --json for the result next time.'

/**
 * What writes the reports of a run, each as the name of its file says. Names are checked at once: after the run it
 * would be too late.
 *
 * @param files without any there is no report
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that does not exist
 */
export async function runReport(files: readonly string[], place: RunPlace): Promise<RunReport> {
  if (files.length === 0) return NO_REPORT
  // One more file to open, for runs that have a report.
  const { formatOfFile, writeReport } = await import('./report-file.js')
  const formats = files.map((file) => ({ file, format: formatOfFile(file, 'run') }))
  const renderers = await Promise.all(formats.map(async ({ file, format }) => (
    { file, renderer: await format.run?.(place) }
  )))
  const listeners = renderers.flatMap(({ renderer }) => renderer?.event ?? [])
  const listens = listeners.length > 0
  const kept: string[] = []
  let room = MOST_ANSWER
  return {
    options: listens ? { changeTexts: true } : {},
    ...(listens && { listener: { event: (event) => listeners.forEach((listen) => listen(event)) } }),
    async *reading(pieces) {
      for await (const piece of pieces) {
        if (listens && room >= 0) {
          kept.push(piece.length <= room ? piece
            : `${piece.slice(0, room)}\n[What follows is left out here: the answer is very long.]\n`)
          room -= piece.length
        }
        yield piece
      }
    },
    async write(result, answer, document) {
      const failures: unknown[] = []
      for (const { file, renderer } of renderers) {
        if (!renderer) continue
        const text = renderer.render({ result, answer: answer ?? kept.join(''), document })
        try {
          writeReport(file, text, HINT)
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
