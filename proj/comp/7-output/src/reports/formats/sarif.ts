import type { ReportFormat } from '../format.js'
import { forCi } from '../for-ci.js'

/** What code scanning services show beside the lines. */
export const SARIF: ReportFormat = {
  extensions: ['.sarif'],
  called: 'SARIF',
  ...forCi(({ renderSarif }, items) => renderSarif(items)),
}
