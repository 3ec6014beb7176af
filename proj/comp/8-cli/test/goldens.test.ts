import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { VERBS } from '../../5-executor/src/verbs/index.js'
import { reportNames } from '../../7-output/src/index.js'
import { COMMANDS } from '../src/commands.js'
import { bodyOf, goldenRun, runGolden } from './run-golden.js'

const cases = readGoldens(new URL('../test-data/cli.cases.md', import.meta.url))
const cli = useCli()

describe.each([...new Set(cases.map(({ group }) => group))])('%s', group => {
  it.each(cases.filter(one => one.group === group))('$name', async golden => {
    const { exit, before = {}, after = before } = goldenRun(golden)
    const outcome = await runGolden(cli, golden, tempDir())
    expect({ ...outcome, stdout: lines(outcome.stdout), stderr: lines(outcome.stderr) }).toEqual({
      exitCode: exit, after, stdout: expected(bodyOf(golden, 'stdout')), stderr: expected(bodyOf(golden, 'stderr')),
    })
  })
})

/** Lists of all that there is, which grow with it. */
const LISTS = {
  '<verbs>': listOf(VERBS.map(({ name }) => name)),
  '<commands>': listOf(COMMANDS.map(({ name }) => name)),
  '<reports>': new RegExp(`${reportNames('run').replace(/[.()]/g, '\\$&')}(?=\\.$)`, 'gm'),
}

/** Many of these names, one after the other. */
function listOf(names: readonly string[]): RegExp {
  const name = names.map((one) => one.replace('.', '\\.')).join('|')
  return new RegExp(`\\b(?:(?:${name}), ){5,}(?:${name})\\b`, 'g')
}

function lines(text: string): string[] {
  return Object.entries(LISTS).reduce((rest, [called, list]) => rest.replace(list, called), text).split('\n')
}

/** A missing fence means no output. */
function expected(body: string | undefined): string[] {
  return body === undefined ? [''] : [...lines(body), '']
}
