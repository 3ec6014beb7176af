import { describe, expect, it } from 'vitest'
import type { ReadFormat } from '../../0-contracts/src/index.js'
import { readGoldens } from '../../../test/support/goldens.js'
import { VERBS } from '../../5-executor/src/index.js'
import { analyse, EXAMPLES, type Analysis } from '../src/index.js'

const cases = readGoldens(new URL('../test-data/analyses.cases.md', import.meta.url))
const verbs = VERBS.map(({ name }) => name)

/** `markdown answer` and the formats that are read as well; then what is found, the reply, the mended text. */
describe('what is said of an answer', () => {
  it.each(cases)('$name', ({ fences }) => {
    const [answer, ...expected] = fences
    const formats = (answer?.info.split(' ').slice(2) ?? []) as ReadFormat[]
    const analysis = analyse(answer?.body ?? '', { formats, verbs })
    for (const { info, body } of expected) expect(shown(analysis, info)).toBe(body)
    expect(expected[0]?.info).toBe('text found')
    expect(expected.some(({ info }) => info === 'markdown mended')).toBe(analysis.mended !== undefined)
  })
})

function shown(analysis: Analysis, info: string): string {
  if (info === 'text reply') return analysis.reply.trimEnd()
  if (info === 'markdown mended') return analysis.mended?.text ?? ''
  return [analysis.verdict, ...analysis.items.flatMap((item) => {
    const { state, blockId, action, subject, startLine, endLine, outcome, code, error, hint, reason, place } = item
    return [
      [`${startLine}-${endLine}`, state, blockId, action, subject, outcome && `(${outcome})`].filter(Boolean).join(' '),
      ...(error === undefined ? [] : [`  ${code}: ${error}`]),
      ...(place === undefined ? [] : [`  at ${place.line}:${place.column}`]),
      ...(hint === undefined ? [] : hint.split('\n').map((line) => `  hint: ${line}`)),
      ...(reason === undefined ? [] : [`  reason: ${reason}`]),
    ]
  })].join('\n')
}

it('the first example has a block of each kind, and every example has one', () => {
  const states = EXAMPLES.map(({ text, formats }) => analyse(text, { formats, verbs }).items.map(({ state }) => state))
  expect([...new Set(states[0])].sort()).toEqual(['failed', 'pending', 'skipped', 'unparsed'])
  expect(states.filter((each) => each.length === 0)).toEqual([])
})

it('what is mended would run, or is broken for another reason', () => {
  const [{ text = '', formats = [] } = {}] = EXAMPLES
  const mended = analyse(text, { formats, verbs }).mended
  expect(mended).toMatchObject({ fixes: 2, left: 1 })
  const again = analyse(mended?.text ?? '', { formats, verbs })
  expect(again.verdict).toBe('3 blocks would run · 2 foreign · 1 quoted')
  expect(again.mended).toBeUndefined()
})

it('names an action of control characters as a run does, so that the reply holds none', () => {
  const { items: [item], reply } = analyse('<tool_call>{"name": "ls\\u001b]0;title\\u0007", "arguments": {}}</tool_call>', { formats: [], verbs })
  expect(item?.error).toBe(String.raw`Unknown action: ls\x1b]0;title\x07`)
  expect(reply).not.toContain('\u001b')
})
