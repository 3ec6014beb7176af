import type { ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'
import type { RunPlace } from './format.js'

/** Writes the reports of a run. */
export interface RunReport {
  /** Options that the run needs for them. */
  options: { changeTexts?: true }
  /** Listens to the run, if a report needs that. */
  listener?: { event(event: HermesEvent): void }
  /** Passes the text of the run through, keeping it if a report needs it. */
  reading(pieces: AsyncIterable<string>): AsyncIterable<string>
  /**
   * @param answer the whole text, unless it came through `reading`
   * @param document what `--json` prints
   * @throws HermesError where a report cannot be written; the others are written
   */
  write(result: ExecutionResult, answer: string | undefined, document: object): Promise<void>
}

/** Longest answer kept, in UTF-16 units: that of the longest block. */
const MOST_ANSWER = 64 * 1024 * 1024
const NO_REPORT: RunReport = { options: {}, reading: (pieces) => pieces, write: async () => undefined }
const HINT = 'The blocks did run: do not run them again for the report. Use --json for the result next time.'

/**
 * Makes the reports of a run, each in the format that its file name tells. Names are checked at once: after the run
 * would be too late.
 *
 * @param files if empty, there is no report
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that cannot be created
 */
export async function runReport(files: readonly string[], place: RunPlace): Promise<RunReport> {
  if (files.length === 0) return NO_REPORT
  // Loaded here: only runs with a report need this file.
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
