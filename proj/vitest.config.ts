import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { buildFor } from './test/support/build-for-tests.js'
import { campaignPart } from './test/support/campaign.js'

/**
 * The package is built before all tests: several that built it at once would each change it under the others. Then
 * those of the whole project: they take long, and one that began last would leave the other cores idle.
 */
class WholeProjectFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    buildFor(files.map(({ moduleId }) => moduleId))
    const sorted = await super.sort(files)
    const isWhole = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/proj/test/')
    return [...sorted.filter(isWhole), ...sorted.filter((file) => !isWhole(file))]
  }
}

const CAMPAIGN = 'proj/**/test/**/*.campaign.test.ts'
const CORPORA = 'proj/**/test/**/*.corpus.test.ts'
/** Tests of the command as it is installed: nearly each starts it, most of them several times. */
const COMMAND = 'proj/comp/8-cli/test/**/*.test.ts'

/** Test files whose text a test holds for. */
function filesOf(isMeant: (text: string) => boolean): string[] {
  return ['comp', 'test'].flatMap((folder) => {
    const place = new URL(`${folder}/`, import.meta.url)
    return readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
      .filter((name) => isMeant(readFileSync(new URL(name, place), 'utf8')))
      .map((name) => `proj/${folder}/${name}`)
  })
}

/** What a test file says that starts a sandbox, a command or a program beside Node and git, or reads such cases. */
const RUNS_PROGRAMS =
  /needing|bwrap|sandbox|execute_|proc[._]run|terminal_|'exec'|[gG]oldens|\.cases\.md|support\/(?:redis|terminal|chromium|backends)/

/**
 * Components whose tests run one after the other in the same processes: a process for each file costs as much again as
 * what they do. The others start many programs, which takes longer the more a process has loaded, or they change what
 * belongs to the whole process; they get a process for each file.
 */
const SHARING = [
  '0-contracts', '0-text', '1-command-risk', '1-edits', '1-reading', '1-registry', '1-reports', '2-config/test/yaml',
  '2-files', '2-mapping', '2-page', '2-sandbox', '2-syntax', '2-transcripts', '2-wire',
  '4-verb-files', '4-verb-session', '5-executor', '6-agent', '2-extensions', '6-replay', '6-review', '6-rpc',
  '7-queue', '7-services/test/cron', '7-services/test/gateway',
]

/** The same for those that start many programs and load little, among themselves. */
const SHARING_LITTLE = ['3-transaction']

/**
 * Components that start no program but Node, git and what npm brings, nor a sandbox: they do the same on every machine.
 * `compare-skips.mjs` names a test of theirs that needs more.
 */
const ALIKE_EVERYWHERE = [
  '0-text', '1-command-risk', '1-edits', '1-reading', '1-registry', '1-reports', '2-config', '2-files', '2-git',
  '2-mapping', '2-page', '2-packages', '2-processes', '2-syntax', '2-terminal', '2-transcripts', '2-wire',
  '3-transaction', '4-verb-files', '4-verb-find/test/references', '4-verb-find/test/search',
  '4-verb-find/test/semantic', '4-verb-find/test/structural', '4-verb-find/test/symbols', '4-verb-session', '7-output',
].flatMap(testsOf)
/** Files of other components that start no such program and run no command. */
const ALIKE_FILES = [
  '2-extensions/test/host/conversations', '4-verb-git/test/examples', '4-verb-git/test/git-diff',
  '4-verb-git/test/git-log', '4-verb-git/test/git-status', '5-executor/test/executor/previews/checked-scripts',
  '5-executor/test/verbs/list', '5-executor/test/verbs/schemas.property', '6-agent/test/adapters/anthropic',
  '6-agent/test/adapters/openai', '6-agent/test/agent/conversations', '6-agent/test/agent/images',
  '6-agent/test/agent/loops',
  '6-agent/test/agent/model/apis', '6-agent/test/agent/odd-servers', '6-agent/test/agent/requests',
  '6-agent/test/agent/summaries', '6-agent/test/agent/wire', '7-services/test/watch/watch-answers',
].map((name) => `proj/comp/${name}.test.ts`)
/** The same of files of the whole project. */
const ALIKE_OF_ALL = [
  'codes-page', 'derived-docs', 'docs', 'docs-commands', 'execute', 'links', 'mend', 'parse-sham-response', 'schemas',
].map((name) => `proj/test/${name}.test.ts`)
const ABOUT_SOURCES = 'proj/test/structure/*.test.ts'

// Node parses all of these certificates each time it starts, which doubles what a start costs: tests start thousands.
delete process.env['NODE_EXTRA_CA_CERTS']

const SPEAK_OF_FLAGS = new URL('test/support/speak-of-flags.ts', import.meta.url).pathname

function testsOf(place: string): string[] {
  return [`proj/comp/${place}${place.includes('/') ? '' : '/test'}/**/*.test.ts`]
}

function sharing(name: string, include: string[], exclude: string[]) {
  const setupFiles = [new URL('test/support/restore-process.ts', import.meta.url).pathname, SPEAK_OF_FLAGS]
  return { extends: true as const, test: { name, include, exclude, isolate: false, setupFiles } }
}

/**
 * `--mode command`: the tests of the installed command. `--mode campaign`: what takes long, and properties and corpora at
 * their full size. `--mode with-programs`: what installed programs can change of `npm test`, but for what the campaign
 * runs, and the tests of the command; for after `npm test` on a bare machine.
 */
export default defineConfig(({ mode }) => {
  // The projects read this file again, and are not told the mode then.
  if (mode === 'campaign') process.env['HERMES_CAMPAIGN'] = '1'
  if (mode === 'with-programs') process.env['HERMES_WITH_PROGRAMS'] = '1'
  if (mode === 'command') process.env['HERMES_COMMAND'] = '1'
  const isCampaign = process.env['HERMES_CAMPAIGN'] === '1'
  // Properties run at a part of their counts outside of a campaign, which has them where it runs whole.
  const properties = campaignPart > 1 ? [] : filesOf((text) => text.includes("from 'fast-check'"))
  const ofCampaign = [CAMPAIGN, CORPORA, ...properties]
  const isOfCommand = process.env['HERMES_COMMAND'] === '1'
  const include = isCampaign ? ofCampaign : [isOfCommand ? COMMAND : 'proj/**/test/**/*.test.ts']
  const isRest = process.env['HERMES_WITH_PROGRAMS'] === '1'
  const alike = [...ALIKE_EVERYWHERE, ...ALIKE_FILES, ...ALIKE_OF_ALL, ABOUT_SOURCES]
  const runsNone = filesOf((text) => !RUNS_PROGRAMS.test(text)).filter((file) => !file.startsWith('proj/comp/8-cli/'))
  const left = isRest ? [...ofCampaign, ...alike, ...runsNone] : [CAMPAIGN, ...(isOfCommand ? [CORPORA] : [COMMAND])]
  const exclude = ['**/node_modules/**', ...(isCampaign ? [] : left)]
  // Of a campaign, properties do: what else it has takes long, or starts many programs.
  const shareable = (place: string): string[] => isCampaign
    ? properties.filter((file) => file.startsWith(`proj/comp/${place}/`) && !file.endsWith('.corpus.test.ts'))
    : testsOf(place)
  const together = isOfCommand ? [] : SHARING.flatMap(shareable)
  const withLittle = isOfCommand ? [] : SHARING_LITTLE.flatMap(shareable)
  return {
    resolve: {
      alias: [
        { find: /^fast-check$/, replacement: new URL('test/support/seeded-fast-check.ts', import.meta.url).pathname },
      ],
    },
    test: {
      root: new URL('..', import.meta.url).pathname,
      env: { HERMES_CAMPAIGN: isCampaign ? '1' : '' },
      reporters: ['default', new URL('test/support/skip-reporter.ts', import.meta.url).pathname],
      // The second of a machine's runs need not compile anything again.
      experimental: { fsModuleCache: true },
      // A bound for what hangs: how long a test takes depends on what else the machine does.
      testTimeout: isCampaign ? 900_000 : 240_000,
      expect: { poll: { timeout: 60_000 } },
      hookTimeout: isCampaign ? 900_000 : 120_000,
      sequence: { sequencer: WholeProjectFirst },
      // Many tests wait for processes of their own: as many workers as cores would leave some of the machine idle.
      maxWorkers: availableParallelism() + 2,
      projects: [
        {
          extends: true,
          test: {
            name: 'apart', include, exclude: [...exclude, ...together, ...withLittle], setupFiles: [SPEAK_OF_FLAGS],
          },
        },
        sharing('together', together, exclude), sharing('together, with little', withLittle, exclude),
      ],
    },
  }
})
