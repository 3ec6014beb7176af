import { expect, it } from 'vitest'
import type { ActionResult, ExecutionResult } from '../../0-contracts/src/index.js'
import { VERBS } from '../../5-executor/src/index.js'
import { VerbRegistry } from '../../1-registry/src/index.js'
import { renderCall } from '../../1-reports/src/index.js'
import { answerResult, callResult, failedTool } from '../src/tool-result.js'

const LONG = Array.from({ length: 100_000 }, (_, line) => `line ${line} of what was printed`).join('\n')
const MOST = 60_000

function runOf(result: Partial<ActionResult>, warnings?: string[]): ExecutionResult {
  const whole: ActionResult = {
    seq: 1, blockId: 'b1', action: 'execute_command', params: { command: 'x' }, success: true, startLine: 1, endLine: 1,
    durationMs: 0, ...result,
  }
  return {
    success: whole.success, totalBlocks: 1, executedActions: 1, results: [whole], parseErrors: [], skipped: [],
    durationMs: 0, ...(warnings && { warnings }),
  }
}

const failed = { success: false, code: 'EXIT_CODE', error: 'It failed' } as const

it.each([
  ['what a command that failed printed', runOf({ ...failed, data: { stdout: LONG, stderr: LONG, exit_code: 1 } })],
  ['what a command printed', runOf({ data: { stdout: LONG, stderr: '', exit_code: 0 } })],
  ['notes', runOf({ data: { stdout: '', stderr: '', exit_code: 0 }, hint: LONG }, [LONG])],
  ['what was done before the run was stopped', { ...runOf({ data: { stdout: LONG } }), fatalError: 'no commit' }],
])('bounds %s', async (_, run) => {
  const verb = await new VerbRegistry(VERBS).load('execute_command')
  if (!verb) throw new Error('no such verb')
  const show = (result: ActionResult, tokens: number) => renderCall(result, { tokens })
  const result = callResult(verb, run, show)
  expect(JSON.stringify(result).length).toBeLessThan(MOST)
  expect(JSON.stringify(result.content)).toContain('line 0 of')
  expect(result.structuredContent).toBeUndefined()
})

it('tells the warnings of a whole answer beside its reply, within a bound', () => {
  const { content } = answerResult(runOf({}, ['a.pem was not committed', LONG]), 'The reply.', 'hermes://reports/1')
  expect(content).toMatchObject([
    { text: 'The reply.' }, { text: expect.stringMatching(/^a\.pem was not committed\n/) as string }, { type: 'resource_link' },
  ])
  expect(JSON.stringify(content).length).toBeLessThan(MOST / 4)
  expect(answerResult(runOf({}), 'The reply.', 'hermes://reports/1').content).toHaveLength(2)
})

it('bounds what is known of a call that never ran', () => {
  const result = failedTool({ ...failed, data: LONG })
  expect(JSON.stringify(result).length).toBeLessThan(MOST)
  expect(result._meta).toEqual({ 'hermes/error': { code: 'EXIT_CODE', message: 'It failed' } })
})

it('a message of the system says its code once', () => {
  const { content } = failedTool({ code: 'ENOENT', error: "ENOENT: no such file or directory, read_file 'a'" }, '')
  expect(content[0]).toMatchObject({ text: "ENOENT: no such file or directory, read_file 'a'" })
})
