import type { ReportFormat } from '../format.js'
import { forCi } from '../for-ci.js'

/** What CI systems show as the results of tests: `--report FILE.xml`. */
export const JUNIT: ReportFormat = {
  extensions: ['.xml'],
  called: 'JUnit',
  ...forCi(({ renderJunit }, items, { title, durationMs }) => renderJunit(items, title, durationMs)),
}
