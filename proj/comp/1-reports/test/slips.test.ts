import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { decodeInput } from '../../1-reading/test/parsers/golden-input.js'
import type { ExecutionResult } from '../../0-contracts/src/index.js'
import { parse } from '../../1-reading/src/index.js'
import { renderFeedback } from '../src/index.js'

/** What a model reads of one error, and of all that one block has, in bytes. */
const MOST = { one: 1024, all: 1536 }
/** What a program reads of it, but for the block's own text, mended or not. */
const MOST_JSON = 2048

const slips = readGoldens(new URL('../../1-reading/test-data/parsers/slips.cases.md', import.meta.url))
const cases = slips.map(({ group, name, fences: [input] }) => {
  const text = decodeInput(input!.body, input!.info.split(/\s+/).slice(1)).text
  return { name: `${group}: ${name}`, text }
})

describe('a slip is told in a few lines', () => {
  it.each(cases)('$name', ({ text }) => {
    const result = resultOf(text)
    expect(result.parseErrors.length).toBeGreaterThan(0)
    expect(result.parseErrors.length).toBeLessThanOrEqual(3)
    const most = result.parseErrors.length === 1 ? MOST.one : MOST.all
    expect(Buffer.byteLength(renderFeedback(result))).toBeLessThanOrEqual(most)
    const json = JSON.stringify(result.parseErrors, (key, value: unknown) => (key === 'source' || key === 'text' ? '' : value))
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MOST_JSON)
  })
})

/** As if every block that parsed had succeeded. */
function resultOf(text: string): ExecutionResult {
  const { blocks, errors: parseErrors, skipped, totalBlocks } = parse(text)
  const results = blocks.map(({ id: blockId, action, params, startLine, endLine }, index) => (
    { seq: index + 1, blockId, action, params, success: true, startLine, endLine, durationMs: 1 }
  ))
  return { success: false, totalBlocks, executedActions: results.length, results, parseErrors, skipped, durationMs: 1 }
}
