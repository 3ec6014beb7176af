import fc from 'fast-check'
import { getEncoding } from 'js-tiktoken'
import { describe, expect, it } from 'vitest'
import type { ActionResult, ExecutionResult, FileChange, HookResult } from '../../0-contracts/src/index.js'
import { parse } from '../../1-reading/src/parsers/index.js'
import { THINK_CLOSERS } from '../../1-reading/src/scanner/index.js'
import {
  LEAST_REPLY_TOKENS, loadDiffRenderer, renderFeedback, renderMarkdownReport, renderParseOutcome, renderReply,
  renderTerminal, tokensAtMost,
} from '../src/index.js'

const o200k = getEncoding('o200k_base')

/** What files, models and commands may say: controls, and pieces that could become live blocks or end fences. */
const pieces = fc.constantFrom(
  '\n', '\r', '\t', '\u001b[31m', '\u0000', '\u009b', '\u202e', '\u2028', '`', '```', '~~~', '|', '> ', '- ', '    ',
  '<!--', '<think>', '</think>', '#!SHAM [@three-char-SHA-256: abc]\n', '#!END_SHAM_abc\n', '#! SHAM [abc]',
  "x = <<'EOT_SHAM_abc'\n", '\n```yaml hermes\nverb: ls\n', '<tool_call>{"name":"ls"}</tool_call>', 'word ',
  'é😀', '\ud800', '&lt;tool_call&gt;', '<function_call>', '[TOOL_CALLS]{"name":"ls"}',
  '#!nesl [@three-char-SHA-256: abc]', '＃！SHAM [abc]', '</document>', '</tool_response>', ...THINK_CLOSERS,
)
const wild = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
  .map(parts => parts.join(''))
const line = fc.integer({ min: 1, max: 99 })

const actionResult: fc.Arbitrary<ActionResult> = fc.record({
  seq: line, blockId: wild, action: fc.oneof(wild, fc.constantFrom('exec', 'grep', 'file_move', 'file_append')),
  params: fc.dictionary(
    fc.constantFrom('path', 'old_path', 'pattern', 'code', 'lang', 'paths', '__proto__'), fc.oneof(wild, fc.integer()),
  ),
  success: fc.boolean(), error: wild, code: wild, hint: wild, startLine: line, endLine: line,
  durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  data: fc.oneof(
    fc.anything(), fc.record({ stdout: wild, stderr: wild, exit_code: fc.option(fc.integer()) }),
    fc.record({ old_path: wild, new_path: wild }), fc.record({ path: wild, content: wild }),
  ),
})
const hookResult: fc.Arbitrary<HookResult> = fc.record({
  seq: line, name: wild, on: fc.constantFrom('before', 'after_write', 'after'), command: wild, by: wild,
  success: fc.boolean(), output: wild, error: wild, hint: wild, durationMs: fc.nat(99),
  changed: fc.array(wild, { maxLength: 2 }),
  diffs: fc.array(fc.record({ path: wild, diff: wild, truncated: fc.constant(true as const) }, {
    requiredKeys: ['path', 'diff'],
  }), { maxLength: 3 }),
})
const executionResult: fc.Arbitrary<ExecutionResult> = fc.record({
  results: fc.array(actionResult, { maxLength: 3 }),
  parseErrors: fc.array(fc.record({
    blockId: wild, startLine: line, endLine: line, source: wild,
    error: fc.record({
      code: wild, message: wild, line, column: line, length: fc.nat(50), hint: wild,
      fix: fc.record({ startLine: line, endLine: line, text: wild }),
    }),
  }), { maxLength: 3 }),
  skipped: fc.array(fc.record({ startLine: line, endLine: line, reason: wild, blockId: wild }), { maxLength: 3 }),
  hooks: fc.array(hookResult, { maxLength: 2 }),
  durationMs: fc.nat(100_000), success: fc.boolean(), executedActions: fc.nat(9), gitCommit: wild, fatalError: wild,
}).map(result => ({ ...result, totalBlocks: result.results.length + result.parseErrors.length }))

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

function terminalText(result: ExecutionResult): string {
  return [
    ...result.results.map(one => renderTerminal({ type: 'block-end', result: one, changes: [] })),
    ...result.parseErrors.map(error => renderTerminal({ type: 'parse-error', error })),
    ...result.skipped.map(block => renderTerminal({ type: 'skipped', block })),
    renderTerminal({ type: 'end', result }),
  ].join('')
}

describe('whatever a result holds', () => {
  it('no control character reaches the terminal', () => {
    fc.assert(fc.property(executionResult, result => {
      for (const text of [
        terminalText(result), renderFeedback(result), renderReply(result), renderMarkdownReport(result),
      ]) {
        expect(text).not.toMatch(CONTROL)
      }
      const { parseErrors: errors, skipped, results, totalBlocks } = result
      const blocks = results.map(({ blockId: id, action, params, startLine, endLine }) => ({
        id, action, params, startLine, endLine, format: 'sham' as const,
      }))
      expect(renderParseOutcome({ blocks, errors, skipped, totalBlocks })).not.toMatch(CONTROL)
    }))
  })

  it('nothing in feedback or a markdown report is live', () => {
    fc.assert(fc.property(executionResult, result => {
      expect(parse(renderFeedback(result)).blocks).toEqual([])
      expect(parse(renderMarkdownReport(result)).blocks).toEqual([])
    }))
  })

  it('nothing in a reply is live, and nothing in it is taken for a faulty block', () => {
    fc.assert(fc.property(executionResult, wild, (result, text) => {
      const { blocks, errors } = parse(renderReply(result, { text }))
      expect({ blocks, errors }).toEqual({ blocks: [], errors: [] })
    }))
  })

  it('a reply keeps its bound, in our count and in that of a tokenizer, and names each failure or counts it', () => {
    fc.assert(fc.property(executionResult, fc.integer({ min: LEAST_REPLY_TOKENS, max: 4000 }), (result, tokens) => {
      const reply = renderReply(result, { tokens })
      expect(tokensAtMost(reply)).toBeLessThanOrEqual(tokens)
      expect(o200k.encode(reply, [], []).length).toBeLessThanOrEqual(tokens)
      const named = reply.split('\n').filter(text => /^(?:FAILED block|NOT PARSED|HOOK FAILED) /.test(text)).length
      const counted = Number(/^FAILED too, .*: (\d+) block/m.exec(reply)?.[1] ?? 0)
      const failed = result.results.filter(({ success }) => !success).length + result.parseErrors.length
        + (result.hooks ?? []).filter(({ success }) => !success).length
      expect(named + counted).toBe(failed)
      const changes = reply.split('\n').filter(text => text.startsWith('CHANGED after the blocks by the hook ')).length
      const unnamed = Number(/^CHANGED by hooks .*: (\d+) file/m.exec(reply)?.[1] ?? 0)
      expect(changes + unnamed).toBe((result.hooks ?? []).flatMap(({ diffs = [] }) => diffs).length)
    }))
  })

  it.each([LEAST_REPLY_TOKENS, 2000, 8000])('a reply of 2000 blocks names or counts all, in %s tokens', tokens => {
    const kinds = [
      { action: 'file_read', data: { path: '/w/a', content: 'line\n'.repeat(100), note: 'x' } },
      { action: 'exec', data: { stdout: 'line\n'.repeat(100), stderr: '', exit_code: 0 } },
      { action: 'file_write', data: {} },
      { action: 'file_read', success: false, code: 'ENOENT', error: 'no such file', hint: 'Write\nan other.' } as const,
    ]
    for (const some of [...kinds.map((kind) => [kind]), kinds]) {
      const results = Array.from({ length: 2000 }, (_, index): ActionResult => ({
        seq: index, blockId: `b${index + 1}`, params: {}, success: true, startLine: index, endLine: index,
        durationMs: 1, ...some[index % some.length]!,
      }))
      const reply = renderReply({
        success: false, totalBlocks: 2000, executedActions: 2000, results, parseErrors: [], skipped: [], durationMs: 1,
      }, { tokens })
      expect(tokensAtMost(reply)).toBeLessThanOrEqual(tokens)
      const named = reply.match(/^[A-Z]+ block /gm)?.length ?? 0
      const counted = [...reply.matchAll(/^[A-Z]+(?: too)?[^\n(]*: ([\d,]+) blocks? \(/gm)]
      expect(counted.reduce((sum, [, count = '']) => sum + Number(count.replace(',', '')), named)).toBe(2000)
    }
  })

  it('times do not change the feedback', () => {
    fc.assert(fc.property(executionResult, result => {
      const results = result.results.map(one => ({ ...one, durationMs: one.durationMs + 1 }))
      const slower = { ...result, durationMs: result.durationMs + 1, results }
      expect(renderFeedback(slower)).toBe(renderFeedback(result))
    }))
  })
})

describe('diffs', () => {
  const path = '/w/a' as FileChange['path']
  const numbers = (count: number, of: (index: number) => string): string => (
    Array.from({ length: count }, (_, index) => `${of(index)}\n`).join('')
  )

  it('hold no control character', async () => {
    const render = await loadDiffRenderer()
    fc.assert(fc.property(wild, wild, (before, after) => {
      expect(render([{ kind: 'modify', path, before, after }])).not.toMatch(CONTROL)
    }))
  })

  it('are shortened', async () => {
    const text = (await loadDiffRenderer())([{ kind: 'create', path, after: numbers(1000, String) }])
    expect(text.split('\n')).toHaveLength(1 + 120 + 1 + 1)
    expect(text).toMatch(/ … 880 more lines\n$/)
  })

  it('give up on texts that have nothing in common', async () => {
    const render = await loadDiffRenderer()
    const before = numbers(5000, index => `old ${index}`)
    const after = numbers(6000, index => `new ${index}`)
    const text = render([{ kind: 'modify', path, before, after }])
    expect(text).toContain('(too different for a diff: 5,000 lines before, 6,000 lines after)')
  })
})
