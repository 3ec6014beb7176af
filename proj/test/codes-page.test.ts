import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EXECUTION_CODES, NESL_CODES, NODE_CODES, SCANNER_CODES, USAGE_CODES } from '../comp/0-contracts/src/index.js'

const page = readFileSync(new URL('../../docs/codes.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, meaning]) => ({ code, meaning }))

it('docs/codes.md explains every code once, and no other', () => {
  const known = [...EXECUTION_CODES, ...SCANNER_CODES, ...NESL_CODES, ...NODE_CODES, ...USAGE_CODES]
  expect(rows.map(({ code }) => code)).toEqual(known)
})

it('in a sentence each', () => {
  for (const { code, meaning } of rows) expect(meaning, code).toMatch(/^[A-Z].{9,119}\.$/)
})
