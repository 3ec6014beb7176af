import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { execute, mend } from '../src/index.js'
import { tempDir } from './support/temp-dir.js'

const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`

it('a program mends an answer, looks at it, and runs it', async () => {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), 'a\n')
  const options = { root, policy: false, gitCommit: false } as const
  const answer = `Two calls.\n\n${call('write_fle', { path: 'b.txt', content: 'b\n' })}\n${call('no_such_thing_at_all', {})}`
  const { text, mended, mendedResults, errors, results } = await mend(answer, options)
  expect(text).toBe(answer.replace('write_fle', 'write_file'))
  expect([mended, mendedResults, errors, results].map(({ length }) => length)).toEqual([0, 1, 0, 1])
  expect(existsSync(join(root, 'b.txt'))).toBe(false)
  expect((await execute(text, options)).results.map(({ success }) => success)).toEqual([true, false])
})
