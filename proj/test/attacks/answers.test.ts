/**
 * Attacks by the text itself: bombs, ambiguous documents, patterns that hang. Each must end soon with its codes, and
 * cost no other block: one more follows every answer, and runs.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { execute } from '../../src/index.js'
import { plantAttackTree } from './attack-tree.js'

interface Case {
  name: string
  answer: string[]
  /** Of results and parse errors, in text order; `ok` for a success. */
  codes: string[]
}
const cases = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as Case[]
const LAST = '\n```json hermes\n{"verb": "file_write", "arguments": {"path": "ran.txt", "content": "ran"}}\n```\n'

it.skipIf(process.platform === 'win32').each(cases)('$name', async ({ answer, codes }) => {
  const { root, fill, guarded } = await plantAttackTree(answer.join())
  const before = guarded()
  const { results, parseErrors } = await execute(fill(answer.join('\n')) + LAST, {
    root, relativePaths: true, gitCommit: false, policy: false,
  })
  const told = [
    ...results.map(({ startLine, success, code, error }) => ({ startLine, code: success ? 'ok' : code, message: error ?? '' })),
    ...parseErrors.map(({ startLine, error }) => ({ startLine, ...error })),
  ].sort((a, b) => a.startLine - b.startLine)
  expect(told.map(({ code }) => code), told.map(({ message }) => message.slice(0, 200)).join('\n')).toEqual([...codes, 'ok'])
  for (const { message } of told) expect(message.length).toBeLessThan(4096)
  expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran')
  expect(guarded()).toEqual(before)
  expect(Object.keys(Object.prototype)).toEqual([])
})
