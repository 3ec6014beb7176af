import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { bodyOf, goldenRun, runGolden } from './run-golden.js'

const cases = ['tools', 'skills'].flatMap(of => readGoldens(new URL(`../test-data/${of}.cases.md`, import.meta.url)).map(one => ({ ...one, group: `${of}: ${one.group}` })))
const cli = useCli()

describe.each([...new Set(cases.map(({ group }) => group))])('%s', group => {
  it.each(cases.filter(one => one.group === group))('$name', async golden => {
    const { stdout, stderr, exitCode } = await runGolden(cli, golden, tempDir())
    const { exit } = goldenRun(golden)
    expect({ exitCode, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() }).toEqual({
      exitCode: exit, stdout: bodyOf(golden, 'stdout') ?? '', stderr: bodyOf(golden, 'stderr') ?? '',
    })
  })
})
