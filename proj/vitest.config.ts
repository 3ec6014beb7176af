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

const CAMPAIGN = 'proj/**/test/**/*.campaign.test.ts'
/** Tests that run at a part of their size outside of a campaign. */
const SCALED = 'proj/**/test/**/*.{property,corpus}.test.ts'

/** `--mode campaign`: what takes long, and properties and corpora at their full size. */
export default defineConfig(({ mode }) => {
  const isCampaign = mode === 'campaign'
  return {
    resolve: {
      alias: [
        { find: /^fast-check$/, replacement: new URL('test/support/seeded-fast-check.ts', import.meta.url).pathname },
      ],
    },
    test: {
      root: new URL('..', import.meta.url).pathname,
      include: isCampaign ? [CAMPAIGN, SCALED] : ['proj/**/test/**/*.test.ts'],
      exclude: ['**/node_modules/**', ...(isCampaign ? [] : [CAMPAIGN])],
      env: { HERMES_CAMPAIGN: isCampaign ? '1' : '' },
      reporters: ['default', new URL('test/support/skip-reporter.ts', import.meta.url).pathname],
      testTimeout: isCampaign ? 120_000 : 30_000,
      hookTimeout: 60_000,
      sequence: { sequencer: WholeProjectFirst },
      // Many tests wait for processes of their own: as many workers as cores would leave a fifth of a small machine idle.
      maxWorkers: availableParallelism() + 1,
    },
  }
})
