import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { bodyOf, goldenRun } from './run-golden.js'
import { runExtensionGolden } from './run-extension-golden.js'

const cases = readGoldens(new URL('../test-data/extensions.cases.md', import.meta.url))
const cli = useCli()

describe.each([...new Set(cases.map(({ group }) => group))])('%s', group => {
  it.each(cases.filter(one => one.group === group))('$name', async golden => {
    const { exit, before = {}, after = {} } = goldenRun(golden)
    const outcome = await runExtensionGolden(cli, golden, tempDir())
    expect({ ...outcome, stdout: lines(outcome.stdout), stderr: lines(outcome.stderr) }).toEqual({
      exitCode: exit, after: { ...before, ...after }, stdout: expected(bodyOf(golden, 'stdout')), stderr: expected(bodyOf(golden, 'stderr')),
    })
  })
})

function lines(text: string): string[] {
  return text.split('\n')
}

/** A missing fence means no output. */
function expected(body: string | undefined): string[] {
  return body === undefined ? [''] : [...lines(body), '']
}
