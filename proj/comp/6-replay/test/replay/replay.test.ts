import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ReadItem, Transcript } from '../../../2-transcripts/src/index.js'
import { unrunReport } from '../../src/replay/index.js'
import { replay } from '../../src/replay/replay.js'

describe('replay', () => {
  it('keeps hold of no transcript that is done', async () => {
    const seen: WeakRef<Transcript>[] = []
    async function* items(): AsyncGenerator<ReadItem, void> {
      for (let index = 0; index < 200; index++) {
        const transcript: Transcript = { file: 'f', line: index, name: `t${index}`, format: 'sharegpt', turns: [] }
        seen.push(new WeakRef(transcript))
        yield { transcript }
      }
      for (let turn = 0; turn < 5; turn++) await nextTurn()
      setFlagsFromString('--expose-gc')
      const collect = runInNewContext('gc') as () => void
      collect()
      expect(seen.filter((one) => one.deref() !== undefined).length).toBeLessThan(20)
    }
    const { signal } = new AbortController()
    const report = await replay(items(), {
      signal, concurrency: 2,
      run: async (transcript) => ({ worker: 1, replayed: { report: { ...unrunReport(transcript, { code: 'X', message: 'x', hint: undefined }).report, error: undefined, drifted: false } as never } }),
    })
    expect(report.transcripts).toBe(200)
  })
})
