import type { ReplayReport } from '../../../6-replay/src/index.js'
import { formatOfFile, writeReport } from './report-file.js'

/**
 * What writes the reports of a replay, each as its extension says. Names are checked at once.
 *
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that does not exist
 */
export function replayReports(files: readonly string[]): (report: ReplayReport) => Promise<void> {
  const writers = files.map((file) => ({ file, format: formatOfFile(file, 'replay') }))
  return async (report) => {
    for (const { file, format } of writers) {
      const render = await format.replay?.()
      if (render) writeReport(file, await render(report), 'Write it elsewhere; --json prints it.')
    }
  }
}
