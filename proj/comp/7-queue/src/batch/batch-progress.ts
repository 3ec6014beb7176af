import type { ProgressScreen } from '../../../6-replay/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import type { BatchStatistics } from './statistics.js'

const EVERY_MS = { terminal: 100, plain: 10_000 }

/** Tells how far a batch is: at a terminal on one line, else a line every ten seconds. */
export function batchProgress(
  { isTerminal: isLive, write }: Pick<ProgressScreen, 'isTerminal' | 'write'>,
): { tell: (statistics: BatchStatistics) => void; end: () => void } {
  let toldAt = performance.now()
  let isShown = false
  return {
    tell({ prompts, failed, tokens }) {
      if (performance.now() - toldAt < (isLive ? EVERY_MS.terminal : EVERY_MS.plain)) return
      toldAt = performance.now()
      isShown = isLive
      const line = `${plural(prompts, 'prompt')} done, ${failed} failed, ${tokens.input + tokens.output} tokens`
      write(isLive ? `\r\u001b[2K${line}` : `${line}\n`)
    },
    end: () => {
      if (isShown) write('\r\u001b[2K')
      isShown = false
    },
  }
}
