import { statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { type ExecutionResult, HermesError, type HermesEvent, isNodeError } from '../../contracts/src/index.js'
import { renderMarkdownReport } from '../../reports/src/index.js'
import { createMasker } from '../../secrets/src/index.js'
import { printableJson } from '../../text/src/index.js'
import type { ApplyOptions } from './setup/apply-options.js'
import { usageError } from './arguments.js'

/** What writes the report of a run. */
export interface ReportWriter {
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

/** Of the answer, in a page, in UTF-16 units: as much as the longest block. */
const MOST_ANSWER = 64 * 1024 * 1024

type Render = (result: ExecutionResult, answer: string | undefined, document: object) => string

const FORMATS: Readonly<Record<string, Render>> = {
  '.json': (_, __, document) => `${printableJson(withoutSecrets(document))}\n`,
  '.md': (result) => renderMarkdownReport(withoutSecrets(result)),
}

/**
 * What writes the report of a run. The name is checked at once: after the run it would be too late.
 *
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that does not exist
 */
export async function reportWriter(file: string | undefined, options: ApplyOptions): Promise<ReportWriter> {
  if (file === undefined) return { options: {}, reading: (pieces) => pieces, write: async () => undefined }
  const extension = extname(file).toLowerCase()
  const isPage = extension === '.html' || extension === '.htm'
  const render = Object.hasOwn(FORMATS, extension) ? FORMATS[extension] : undefined
  if (!render && !isPage) {
    throw usageError(`Unknown kind of report: ${file}`, 'Name it FILE.html, FILE.md or FILE.json.')
  }
  const directory = dirname(resolve(file))
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    const hint = 'Create it first, or write the report elsewhere.'
    throw usageError(`No such directory for the report: ${directory}`, hint)
  }
  const { writeWhole } = await import('./write-whole.js')
  const page = isPage ? (await import('./page-report.js')).pageReport(options) : undefined
  const kept: string[] = []
  let room = MOST_ANSWER
  return {
    options: page ? { changeTexts: true } : {},
    ...(page && { listener: page }),
    async *reading(pieces) {
      for await (const piece of pieces) {
        if (page && room >= 0) {
          kept.push(piece.length <= room ? piece
            : `${piece.slice(0, room)}\n[What follows is left out here: the answer is very long.]\n`)
          room -= piece.length
        }
        yield piece
      }
    },
    async write(result, answer, document) {
      const draw = page ? page.render : render
      try {
        if (draw) writeWhole(resolve(file), draw(result, answer ?? kept.join(''), document))
      } catch (error) {
        if (!isNodeError(error)) throw error
        throw new HermesError(error.code, `Cannot write the report ${file} (${error.code})`, {
          hint: 'The blocks did run: do not run them again for the report. Use --json for the result next time.',
          cause: error,
        })
      }
    },
  }
}

function withoutSecrets<T>(value: T): T {
  return createMasker({}, { shapes: true }).value(value)
}
