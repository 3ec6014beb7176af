import { fileChanges } from '../../../3-transaction/src/index.js'
import { loadDiffRenderer, type ReportStyle } from '../../../1-reports/src/index.js'

/** What a run changed, against what is there now. Empty where there is nothing to show. */
export async function diffOfRun(root: string, runId: string, style: ReportStyle): Promise<string> {
  return (await loadDiffRenderer(style))(await fileChanges(root, [runId]))
}
