import { expect, it } from 'vitest'
import { emptyReport } from '../../src/replay/replay.js'
import { progressLine, replayProgress } from '../../src/replay/report/replay-progress.js'

const done = { transcripts: 0, drifted: 1, bad: 0, calls: 14, durationMs: 2000 }

it.each([
  [{ transcripts: 1, calls: 60 }, 79, '[######                  ] 14/60 calls  7.0/s  7 s left  1 drifted'],
  [{ transcripts: 3, calls: 60 }, 79, '[######                  ] 0/3  14/60 calls  7.0/s  7 s left  1 drifted'],
  [{ transcripts: 1, calls: 60 }, 39, '[###           ] 14/60 calls  1 drifted'],
  [{ transcripts: 1, calls: 60 }, 24, '14/60 calls  1 drifted'],
  [{ transcripts: 4, calls: 0 }, 79, '[                        ] 0/4  0.0/s  1 drifted'],
  [undefined, 79, '0  0.0/s  1 drifted'],
])('%j at %i columns', (total, columns, line) => {
  const shown = progressLine(done, total, columns)
  expect(shown).toBe(line)
  expect(shown.length).toBeLessThanOrEqual(columns)
})

it('counts the calls of a transcript under way, and those of the ones that are done', () => {
  const { tell, call, reached } = replayProgress({ transcripts: 2, calls: 5 }, { isTerminal: false, columns: () => 80, write: () => undefined })
  call()
  call()
  expect(reached()).toBe('0 of 2 transcripts, 2 of 5 calls')
  const report = { ...emptyReport(), transcripts: 1, counts: { ...emptyReport().counts, same: 3 } }
  tell(report)
  call()
  // What was told already is told once more at the end.
  tell(report)
  expect(reached()).toBe('1 of 2 transcripts, 4 of 5 calls')
})
