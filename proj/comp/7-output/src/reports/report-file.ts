import { statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { outputTarget, writeOutput } from '../../../2-files/src/index.js'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { ReportFormat, ReportKind } from './format.js'
import { formatNamed, reportNames } from './report-formats.js'

/**
 * The format of a report by the name of its file. Checked at once: when it is written it would be too late.
 *
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that does not exist, `POLICY_DENIED` for a
 *   link that lies where runs work
 */
export function formatOfFile(file: string, kind: ReportKind): ReportFormat {
  const format = formatNamed(extname(file).toLowerCase(), kind)
  if (!format) throw invalid(`Unknown kind of report: ${file}`, `Name it ${reportNames(kind)}.`)
  const directory = dirname(resolve(file))
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw invalid(`No such directory for the report: ${directory}`, 'Create it first, or write the report elsewhere.')
  }
  outputTarget(file)
  return format
}

/**
 * Also of a link that was put there since, and lies where runs work: `POLICY_DENIED`.
 *
 * @param hint where it cannot be written.
 * @throws HermesError with Node's code; then the file is as it was
 */
export function writeReport(file: string, text: string, hint: string): void {
  try {
    writeOutput(file, text, { orInPlace: true })
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write the report ${file} (${error.code})`, { hint, cause: error })
  }
}

function invalid(message: string, hint: string): HermesError {
  return new HermesError('INVALID_OPTION', escapeControls(message), { hint })
}
