import { printableJson } from '../../../../0-text/src/index.js'
import type { ReportFormat } from '../format.js'

/** For programs: what `--json` prints. */
export const JSON_DOCUMENT: ReportFormat = {
  extensions: ['.json'],
  async run() {
    const { createMasker } = await import('../../../../0-text/src/index.js')
    return { render: ({ document }) => `${printableJson(createMasker({}, { shapes: true }).value(document))}\n` }
  },
  replay: async () => (report) => `${printableJson(report)}\n`,
}
