import type { CiItem } from '../../../1-reports/src/index.js'
import type { ReportFormat } from './format.js'

type Renderers = typeof import('../../../1-reports/src/index.js')

/** What a format of CI has of runs and replays alike. */
export function forCi(
  render: (renderers: Renderers, items: readonly CiItem[], of: { title: string; durationMs: number }) => string,
): Required<Pick<ReportFormat, 'run' | 'replay'>> {
  return {
    async run({ file }) {
      const renderers = await import('../../../1-reports/src/index.js')
      const { createMasker } = await import('../../../0-text/src/index.js')
      return {
        render({ result }) {
          const masked = createMasker({}, { shapes: true }).value(result)
          const { durationMs } = masked
          return render(renderers, renderers.runItems(masked, file), { title: 'hermes apply', durationMs })
        },
      }
    },
    async replay() {
      const renderers = await import('../../../1-reports/src/index.js')
      const { replayItems } = await import('../../../6-replay/src/index.js')
      return async (report, same) => {
        const { durationMs } = report
        return render(renderers, await replayItems(report, same), { title: 'hermes replay', durationMs })
      }
    },
  }
}
