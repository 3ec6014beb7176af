import { statSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { type ExecutionResult, HermesError, isNodeError } from '../../contracts/src/index.js'
import { renderMarkdownReport } from '../../reports/src/index.js'
import { createMasker } from '../../secrets/src/index.js'
import { printableJson } from '../../text/src/index.js'
import { usageError } from './arguments.js'

const FORMATS: Readonly<Record<string, (result: ExecutionResult) => string>> = {
  '.json': result => `${printableJson(result)}\n`,
  '.md': renderMarkdownReport,
}

/**
 * What writes the report of a run. The name is checked at once: after the run it would be too late.
 *
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that does not exist
 */
export function reportWriter(file: string | undefined): (result: ExecutionResult) => void {
  if (file === undefined) return () => undefined
  const extension = extname(file).toLowerCase()
  const render = Object.hasOwn(FORMATS, extension) ? FORMATS[extension] : undefined
  if (!render) throw usageError(`Unknown kind of report: ${file}`, 'Name it FILE.json or FILE.md.')
  const directory = dirname(resolve(file))
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    const hint = 'Create it first, or write the report elsewhere.'
    throw usageError(`No such directory for the report: ${directory}`, hint)
  }
  return result => {
    try {
      writeFileSync(file, render(createMasker({}, { shapes: true }).value(result)))
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `Cannot write the report ${file} (${error.code})`, {
        hint: 'The blocks did run: do not run them again for the report. Use --json for the result next time.',
        cause: error,
      })
    }
  }
}
