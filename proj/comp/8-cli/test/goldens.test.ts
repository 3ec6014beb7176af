import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { VERBS } from '../../5-executor/src/verbs/index.js'
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

const NAME = VERBS.map(({ name }) => name.replace('.', '\\.')).join('|')
/** Such a list says which verbs there are, and grows with them. */
const MANY_VERBS = new RegExp(`\\b(?:(?:${NAME}), ){5,}(?:${NAME})\\b`, 'g')

function lines(text: string): string[] {
  return text.replace(MANY_VERBS, '<verbs>').split('\n')
}

/** A missing fence means no output. */
function expected(body: string | undefined): string[] {
  return body === undefined ? [''] : [...lines(body), '']
}
