import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests of the whole project first: they take long, and one that began last would leave the other cores idle. */
class WholeProjectFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isWhole = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/proj/test/')
    return [...sorted.filter(isWhole), ...sorted.filter((file) => !isWhole(file))]
  }
}

export default defineConfig({
  resolve: {
    alias: [
      { find: /^fast-check$/, replacement: new URL('test/support/seeded-fast-check.ts', import.meta.url).pathname },
    ],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['proj/**/test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: WholeProjectFirst },
    // Many tests wait for processes of their own: as many workers as cores would leave a fifth of a small machine idle.
    maxWorkers: availableParallelism() + 1,
  },
})
