import { dirname, extname, resolve } from 'node:path'
import { makeOutputDirectory, writeOutput } from '../../../2-files/src/index.js'
import { caught, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import type { ReportFormat, ReportKind } from './format.js'
import { formatsOf, reportNames } from './report-formats.js'

/**
 * The report format for a file name. Checked before the run: afterwards would be too late.
 *
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that cannot be created, `POLICY_DENIED` for
 * a link in a place where runs write
 */
export function formatOfFile(file: string, kind: ReportKind): ReportFormat {
  const extension = extname(file).toLowerCase()
  const format = formatsOf(kind).find(({ extensions }) => extensions.includes(extension))
  if (!format) throw usageError(`Unknown kind of report: ${file}`, `Name it ${reportNames(kind)}.`)
  caught(isNodeError, () => makeOutputDirectory(file), ({ code }) => {
    const problem = `Cannot make the directory of the report: ${dirname(resolve(file))} (${code})`
    throw usageError(problem, 'Write the report elsewhere.')
  })
  return format
}

/**
 * Writes a report. A link put there meanwhile, in a place where runs write, is refused too: `POLICY_DENIED`.
 *
 * @param hint for the case that it cannot be written
 * @throws HermesError with Node's code; then the file is unchanged
 */
export function writeReport(file: string, text: string, hint: string): void {
  caught(isNodeError, () => writeOutput(file, text, { orInPlace: true }), (error) => {
    throw new HermesError(error.code, `Cannot write the report ${file} (${error.code})`, { hint, cause: error })
  })
}
