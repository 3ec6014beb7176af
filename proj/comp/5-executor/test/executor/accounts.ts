import { expect } from 'vitest'
import type { ActionResult, ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'

/**
 * What holds of every result, whatever the text was (contract section 2).
 *
 * @param dry commands succeed without having been started
 */
export function expectAccounts(result: ExecutionResult, dry = false): void {
  const { results, parseErrors, skipped } = result
  const clean = results.every(({ success }) => success) && parseErrors.length === 0 && result.fatalError === undefined
  expect(result.success).toBe(clean)
  expect(results.map(({ seq }) => seq)).toEqual(results.map((_, index) => index + 1))
  expect(result.totalBlocks).toBeGreaterThanOrEqual(results.length)
  expect(result.totalBlocks).toBeLessThanOrEqual(results.length + parseErrors.length)
  expect(result.executedActions).toBeLessThanOrEqual(results.length)
  // A call of another harness may ask nothing of this machine.
  const ran = results.filter(({ success, hint = '' }) => success && !hint.startsWith('Nothing to run:'))
  if (!dry) expect(result.executedActions).toBeGreaterThanOrEqual(ran.length)
  expect(result.durationMs).toBeGreaterThanOrEqual(0)
  results.forEach((each, index) => expectResult(each, results[index - 1]))
  for (const { startLine, source, error } of parseErrors) {
    expect(startLine).toBeGreaterThanOrEqual(1)
    expect(Buffer.byteLength(source)).toBeLessThanOrEqual(4096)
    expectFailure(error)
    expect(error.hint, error.message).toBeTruthy()
  }
  for (const { startLine, endLine, reason } of skipped) {
    expect(endLine).toBeGreaterThanOrEqual(startLine)
    expect(reason).toBeTruthy()
  }
}

function expectResult(result: ActionResult, before: ActionResult | undefined): void {
  expect(result.blockId).toBeTruthy()
  expect(result.startLine).toBeGreaterThanOrEqual(before?.endLine ?? 1)
  expect(result.endLine).toBeGreaterThanOrEqual(result.startLine)
  expect(result.durationMs).toBeGreaterThanOrEqual(0)
  if (result.success) expect([result.error, result.code]).toEqual([undefined, undefined])
  else expectFailure({ code: result.code, message: result.error })
}

/** One line a model can act on, a stable code, and never a stack trace. */
function expectFailure({ code, message }: { code?: string | undefined; message?: string | undefined }): void {
  expect(code).toMatch(/^[A-Z][A-Z_]+$/)
  expect(message).toMatch(/^[^\n\r]+$/)
  expect(message).not.toMatch(/\bat .+:\d+:\d+/)
}

/**
 * Events tell the same as the result: each start before its end, the end of all last and once. What a stream finds out
 * late (a fence that never closes) it tells late; the result has it in its place.
 */
export function expectEvents(events: readonly HermesEvent[], result: ExecutionResult): void {
  expect(events.at(-1)).toEqual({ type: 'end', result })
  expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
  const open: number[] = []
  for (const event of events) {
    if (event.type === 'block-start') open.push(event.seq)
    else if (event.type === 'block-end') expect(open.pop()).toBe(event.result.seq)
    else expect(open).toEqual([])
  }
  expect(events.flatMap((event) => event.type === 'block-end' ? [event.result] : [])).toEqual(result.results)
  const errors = events.flatMap((event) => event.type === 'parse-error' ? [event.error] : [])
  const skipped = events.flatMap((event) => event.type === 'skipped' ? [event.block] : [])
  expect(inTextOrder(errors)).toEqual(inTextOrder(result.parseErrors))
  expect(inTextOrder(skipped)).toEqual(inTextOrder(result.skipped))
}

function inTextOrder<T extends { startLine: number }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => a.startLine - b.startLine)
}

/** A result without what differs from run to run. */
export function timeless(result: ExecutionResult): ExecutionResult {
  return { ...result, ...(result.runId !== undefined && { runId: '' }), durationMs: 0, results: result.results.map((each) => ({ ...each, durationMs: 0 })) }
}
