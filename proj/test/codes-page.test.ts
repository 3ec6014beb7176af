import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALL_CODES } from '../comp/0-contracts/src/index.js'

const page = readFileSync(new URL('../../docs/codes.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, meaning]) => ({ code, meaning }))

it('docs/codes.md explains every code once, and no other', () => {
  expect(rows.map(({ code }) => code)).toEqual(ALL_CODES)
})

it('in a sentence each', () => {
  for (const { code, meaning } of rows) expect(meaning, code).toMatch(/^[A-Z].{9,119}\.$/)
})
