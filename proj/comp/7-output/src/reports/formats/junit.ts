import type { ReportFormat } from '../format.js'

/** What CI systems show as the results of tests. */
export const JUNIT: ReportFormat = {
  extensions: ['.xml'],
  called: 'JUnit',
  replay: async () => (await import('../../../../6-replay/src/index.js')).renderJunit,
}
