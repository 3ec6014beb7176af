import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import type { Cli } from '../../../test/support/cli.js'
import type { GoldenCase } from '../../../test/support/goldens.js'
import { runGolden, type GoldenOutcome } from './run-golden.js'

const pointer = fileURLToPath(new URL('../../../../test-data/extensions/pointer.mjs', import.meta.url))

/** As `runGolden`, with a home of its own that holds what the case says of the user's config. */
export async function runExtensionGolden(cli: Cli, golden: GoldenCase, directory: string): Promise<GoldenOutcome> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-home-')))
  try {
    const fences = golden.fences.map(fence => ({ ...fence, body: fence.info.endsWith(' run') ? fence.body.replaceAll('<pointer>', pointer) : fence.body }))
    const run = JSON.parse(fences.find(({ info }) => info.endsWith(' run'))?.body ?? '{}') as { config?: string }
    mkdirSync(join(home, '.hermes'))
    if (run.config !== undefined) writeFileSync(join(home, '.hermes', 'config.yaml'), run.config)
    const withHome: Cli = {
      get path() { return cli.path },
      run: (args, options) => cli.run(args, { ...options, env: { ...options.env, HOME: home } }),
    }
    const outcome = await runGolden(withHome, { ...golden, fences }, directory)
    const settle = (text: string): string => text.replaceAll(pointer, '<pointer>').replaceAll(home, '<home>')
    return { ...outcome, stdout: settle(outcome.stdout), stderr: settle(outcome.stderr) }
  } finally {
    removeSync(home)
  }
}
