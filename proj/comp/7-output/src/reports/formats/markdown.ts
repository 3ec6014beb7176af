import type { ReportFormat } from '../format.js'

/** A summary in CI, or a comment on a pull request. */
export const MARKDOWN: ReportFormat = {
  extensions: ['.md'],
  async run() {
    const { renderMarkdownReport } = await import('../../../../1-reports/src/index.js')
    const { createMasker } = await import('../../../../0-text/src/index.js')
    return { render: ({ result }) => renderMarkdownReport(createMasker({}, { shapes: true }).value(result)) }
  },
  replay: async () => (await import('../../../../6-replay/src/index.js')).renderReplayMarkdown,
}
