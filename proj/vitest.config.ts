import { readdirSync, readFileSync } from 'node:fs'
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
const CORPORA = 'proj/**/test/**/*.corpus.test.ts'

/** Files with properties, which run at a part of their counts outside of a campaign. */
function filesWithProperties(): string[] {
  return ['comp', 'test'].flatMap((folder) => {
    const place = new URL(`${folder}/`, import.meta.url)
    return readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
      .filter((name) => /from 'fast-check'/.test(readFileSync(new URL(name, place), 'utf8')))
      .map((name) => `proj/${folder}/${name}`)
  })
}

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
      include: isCampaign ? [CAMPAIGN, CORPORA, ...filesWithProperties()] : ['proj/**/test/**/*.test.ts'],
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
