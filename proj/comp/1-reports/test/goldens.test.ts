import { describe, expect, it } from 'vitest'
import { type GoldenCase, readGoldens } from '../../../test/support/goldens.js'
import type { ExecutionResult, FileChange, HermesEvent } from '../../0-contracts/src/index.js'
import {
  loadDiffRenderer, renderFeedback, renderMarkdownReport, renderParseOutcome, renderReply, renderTerminal,
  type ReplyOptions, type ReportStyle,
} from '../src/index.js'

const cases = ['reports', 'reply'].flatMap(name => (
  readGoldens(new URL(`../test-data/${name}.cases.md`, import.meta.url))
))

describe.each([...new Set(cases.map(({ group }) => group))])('%s', group => {
  it.each(cases.filter(one => one.group === group))('$name', async golden => {
    const outputs = golden.fences.filter(({ info }) => !info.startsWith('json ') && info !== 'text answer')
    expect(outputs.length).toBeGreaterThan(0)
    for (const { info, body } of outputs) {
      // Escape characters would be invisible in the goldens.
      const output = (await render(info.split(' ')[1] ?? '', golden)).replaceAll('\u001b', '␛')
      expect(output, info).toBe(body === '' ? '' : `${body}\n`)
    }
  })
})

async function render(kind: string, golden: GoldenCase): Promise<string> {
  const style = styleOf(golden)
  const result = completed(input(golden, 'result') ?? {})
  const changes = input(golden, 'changes') as FileChange[] | undefined ?? []
  switch (kind) {
    case 'terminal': return eventsOf(result, changes).map(event => renderTerminal(event, style)).join('')
    case 'feedback': return renderFeedback(result, style)
    case 'reply': return renderReply(result, replyOptions(golden))
    case 'report': return renderMarkdownReport(result)
    case 'diff': return (await loadDiffRenderer(style))(changes)
    case 'parse': return renderParseOutcome(input(golden, 'outcome') as Parameters<typeof renderParseOutcome>[0], style)
    default: throw new Error(`no such output: ${kind}`)
  }
}

/** Its `text` is the answer as it was. */
function replyOptions(golden: GoldenCase): ReplyOptions {
  const text = golden.fences.find(({ info }) => info === 'text answer')?.body
  return { ...input(golden, 'options') as ReplyOptions | undefined, ...(text !== undefined && { text }) }
}

function styleOf(golden: GoldenCase): ReportStyle {
  const style = input(golden, 'style') as ReportStyle & { fences?: { count: number; languages: string[] } } | undefined
  const { fences } = style ?? {}
  return { ...style, ...(fences && { fences: { ...fences, languages: new Set(fences.languages) } }) }
}

function input(golden: GoldenCase, kind: string): unknown {
  const found = golden.fences.find(({ info }) => info === `json ${kind}`)
  return found && JSON.parse(found.body)
}

/** The goldens give only what they are about. */
function completed(given: object): ExecutionResult {
  const { results = [], parseErrors = [], ...rest } = given as Partial<ExecutionResult>
  const failedIds = new Set(parseErrors.map(({ startLine }) => startLine))
  const totalBlocks = results.length + failedIds.size
  const filled = results.map((result, index) => {
    const at = index + 1
    const preset = { seq: at, blockId: `b${at}`, startLine: at, endLine: at, durationMs: 1, params: {}, success: true }
    return { ...preset, ...result }
  })
  const success = filled.every(one => one.success) && parseErrors.length === 0 && rest.fatalError === undefined
  const preset = { success, totalBlocks, executedActions: filled.length, skipped: [], durationMs: 1234 }
  return { ...preset, ...rest, results: filled, parseErrors }
}

/** As a run reports them: in text order. `changes` are those of the first block. */
function eventsOf(result: ExecutionResult, changes: readonly FileChange[]): HermesEvent[] {
  const events: { at: number; event: HermesEvent }[] = [
    ...result.results.map((one, index) => ({
      at: one.startLine, event: { type: 'block-end' as const, result: one, changes: index === 0 ? changes : [] },
    })),
    ...result.parseErrors.map(error => ({ at: error.startLine, event: { type: 'parse-error' as const, error } })),
    ...result.skipped.map(block => ({ at: block.startLine, event: { type: 'skipped' as const, block } })),
    ...(result.hooks ?? []).map(hook => ({ at: hook.on === 'before' ? 0 : Infinity, event: { type: 'hook-end' as const, result: hook } })),
  ]
  return [...events.sort((a, b) => a.at - b.at).map(({ event }) => event), { type: 'end', result }]
}
