import { expect, it } from 'vitest'
import { applyHunks, type Hunk, readUnified, readV4a } from '../../src/patches/index.js'

const lines = (count: number): string => (
  Array.from({ length: count }, (_, line) => `line ${line}: ${'x'.repeat(line % 50)}\n`).join('')
)

function unified(count: number): readonly Hunk[] {
  const hunks = Array.from({ length: count }, (_, index) => (
    `@@ -${index + 1},2 +${index + 1},2 @@\n line ${index} is not there\n-line ${index}: y\n+new ${index}\n`
  ))
  return readUnified(`--- a/a.txt\n+++ b/a.txt\n${hunks.join('')}`).files?.[0]?.hunks ?? []
}

it('has pauses within the work for one hunk, not only between hunks', async () => {
  let pauses = 0
  const { text } = await applyHunks(lines(1000), unified(1), {
    path: 'a.txt', match: 'tolerant', format: 'unified',
    async pause() {
      pauses++
    },
  })
  expect(text).toBeUndefined()
  expect(pauses).toBeGreaterThanOrEqual(10)
})

it('ends at the pause that throws', async () => {
  let pauses = 0
  const stopped = new Error('stopped')
  await expect(applyHunks(lines(1000), unified(100), {
    path: 'a.txt', match: 'tolerant', format: 'unified',
    async pause() {
      pauses++
      if (pauses === 120) throw stopped
    },
  })).rejects.toBe(stopped)
  expect(pauses).toBe(120)
})

/** Each of the 64 lines that an anchor may mean has the rest of the file in its scope. */
it('seeks no further hunks once those that failed were sought at too many places', async () => {
  const hunks = Array.from({ length: 40 }, (_, index) => `@@ line\n \n-\n-\n+new ${index}\n`)
  const patch = readV4a(`*** Begin Patch\n*** Update File: a.txt\n${hunks.join('')}*** End Patch\n`).files?.[0]
  const nested = Array.from({ length: 64 }, (_, depth) => `${' '.repeat(depth)}line\n`).join('')
  const within = lines(10_000).replace(/^/gm, ' '.repeat(64))
  const { outcomes } = await applyHunks(nested + within, patch?.hunks ?? [], {
    path: 'a.txt', match: 'tolerant', format: 'v4a',
  })
  const unsought = outcomes.filter(({ failure }) => failure?.message.includes('was not looked for'))
  expect(unsought.length).toBeGreaterThan(20)
  expect(unsought.length).toBeLessThan(40)
})
