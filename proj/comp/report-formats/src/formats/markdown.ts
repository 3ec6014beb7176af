import type { ReportFormat } from '../format.js'

/** A summary in CI, or a comment on a pull request. */
export const MARKDOWN: ReportFormat = {
  extensions: ['.md'],
  async run() {
    const { renderMarkdownReport } = await import('../../../reports/src/index.js')
    const { createMasker } = await import('../../../secrets/src/index.js')
    return { render: ({ result }) => renderMarkdownReport(createMasker({}, { shapes: true }).value(result)) }
  },
  replay: async () => (await import('../../../replay/src/index.js')).renderReplayMarkdown,
}
