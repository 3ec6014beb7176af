import { statSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { renderJunit, renderReplayMarkdown, type ReplayReport } from '../../replay/src/index.js'
import { printableJson } from '../../text/src/index.js'
import { usageError } from './arguments.js'

const RENDERERS: Readonly<Record<string, (report: ReplayReport) => string | Promise<string>>> = {
  '.json': (report) => `${printableJson(report)}\n`,
  '.md': renderReplayMarkdown,
  '.xml': renderJunit,
}

/**
 * What writes the reports of a replay, each as its extension says. Names are checked at once.
 *
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that does not exist
 */
export function replayReports(files: readonly string[]): (report: ReplayReport) => Promise<void> {
  const writers = files.map((file) => {
    const extension = extname(file).toLowerCase()
    const render = Object.hasOwn(RENDERERS, extension) ? RENDERERS[extension] : undefined
    if (!render) throw usageError(`Unknown kind of report: ${file}`, 'Name it FILE.json, FILE.md or FILE.xml (JUnit).')
    if (!statSync(dirname(resolve(file)), { throwIfNoEntry: false })?.isDirectory()) {
      throw usageError(
        `No such directory for the report: ${dirname(resolve(file))}`,
        'Create it first, or write the report elsewhere.',
      )
    }
    return { file, render }
  })
  return async (report) => {
    for (const { file, render } of writers) {
      try {
        writeFileSync(file, await render(report))
      } catch (error) {
        if (!isNodeError(error)) throw error
        throw new HermesError(error.code, `Cannot write the report ${file} (${error.code})`, {
          hint: 'Write it elsewhere; --json prints it.', cause: error,
        })
      }
    }
  }
}
