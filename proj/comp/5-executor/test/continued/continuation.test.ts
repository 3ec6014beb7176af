import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { shamBlock } from '../../../1-registry/src/index.js'
import { createPathGate } from '../../../2-files/src/index.js'
import { createRunId, listRuns, redo, undo } from '../../../3-transaction/src/index.js'
import { Continuation, Hermes, type ExecutorOptions } from '../../src/index.js'

/** A root in which answers are run as `hermes apply` does. */
class Project {
  readonly root = tempDir()

  async apply(answer: string, given?: string, options: ExecutorOptions = {}): Promise<ExecutionResult & { runId: string }> {
    const going = new Continuation(this.root, given)
    const runId = createRunId()
    const hermes = new Hermes({
      root: this.root, relativePaths: true, gitCommit: false, ...options, ...going.options, onEvent: (event) => going.event(event),
    })
    const own = await hermes.execute(answer, { runId })
    await hermes[Symbol.asyncDispose]()
    going.keep(runId, own)
    return { ...going.end(own), runId }
  }

  text(name: string): string {
    return readFileSync(join(this.root, name), 'utf8')
  }

  reversal() {
    const { root } = this
    const gate = createPathGate({ root, allow: [] })
    return {
      root, gate, runId: createRunId(), force: false, git: false, durable: false, waitMs: 0,
      signal: new AbortController().signal,
    }
  }
}

const write = (id: string, path: string, content: string): string => shamBlock(id, 'file_write', { path, content })
const append = (id: string, content: string): string => shamBlock(id, 'file_append', { path: 'log', content })
const broken = (id: string): string => write(id, 'broken', 'x').replace('content = "x"', 'content = "x')
const call = (name: string, args: object): string => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
const answer = (...blocks: string[]): string => `${blocks.join('\n\n')}\n`
const told = ({ success, totalBlocks, results, parseErrors }: ExecutionResult) => ({
  success, totalBlocks, parseErrors: parseErrors.length,
  results: results.map(({ blockId, success: isDone, code }) => `${blockId} ${isDone ? 'ok' : String(code)}`),
})

describe('Continuation', () => {
  it('adds a second answer with the mended blocks up with the first', async () => {
    const project = new Project()
    const first = await project.apply(answer(append('one', 'a\n'), shamBlock('two', 'file_read', { path: 'none' }), broken('thr')))
    expect(told(first)).toEqual({ success: false, totalBlocks: 3, parseErrors: 1, results: ['one ok', 'two ENOENT'] })
    const second = await project.apply(
      answer(append('one', 'a\n'), shamBlock('two', 'file_read', { path: 'log' }), write('thr', 'broken', 'x')), 'last',
    )
    expect(told(second)).toEqual({ success: true, totalBlocks: 3, parseErrors: 0, results: ['one ok', 'two ok', 'thr ok'] })
    expect(second.results.map(({ seq, runId }) => [seq, runId])).toEqual([[1, first.runId], [2, undefined], [3, undefined]])
    expect(second.skipped).toMatchObject([
      { blockId: 'one', reason: `it succeeded in run ${first.runId} and is not run again` },
    ])
    expect(project.text('log')).toBe('a\n')
  })

  it('refuses an id that succeeded with another text, also of the run before the last, whatever is tried', async () => {
    const project = new Project()
    const first = await project.apply(answer(append('one', 'a\n'), broken('two')))
    for (const given of [first.runId, first.runId.slice(0, -3), 'last']) {
      const next = await project.apply(answer(append('one', 'b\n'), broken('two')), given)
      expect(told(next)).toEqual({
        success: false, totalBlocks: 3, parseErrors: 1, results: ['one ok', 'one INVALID_BLOCK_ID'],
      })
      expect(next.results[1]?.error).toContain(`'one' succeeded with another text, in run ${first.runId}`)
    }
    expect(told(await project.apply(answer(write('two', 'broken', 'x')), first.runId))).toMatchObject({ success: true })
    expect(project.text('log')).toBe('a\n')
  })

  it('takes blocks without an id for new ones, which stand for what failed and is like them', async () => {
    const project = new Project()
    await project.apply(answer(
      call('write_file', { path: 'a', content: 'a' }), call('read_file', { path: 'none' }), call('read_file', { path: 'b' }),
      '<tool_call>\n{"name": "write_file", "arguments": {"path": "c"\n</tool_call>',
    ))
    const second = await project.apply(answer(
      call('write_file', { path: 'b', content: 'b' }), call('read_file', { path: 'a' }), call('write_file', { path: 'c', content: 'c' }),
    ), 'last')
    // The first is like the read of `b` in path, the second like the other read in verb, the third like nothing that parsed.
    expect(told(second)).toEqual({ success: true, totalBlocks: 4, parseErrors: 0, results: ['b1 ok', 'b1 ok', 'b2 ok', 'b3 ok'] })
  })

  it('leaves what failed as it is where it is not mended, or put back', async () => {
    const project = new Project()
    await project.apply(answer(write('one', 'a', 'a'), broken('two'), broken('thr')))
    const atomic = await project.apply(answer(write('two', 'b', 'b'), shamBlock('new', 'file_read', { path: 'none' })), 'last', { atomic: true })
    expect(told(atomic)).toMatchObject({ success: false, parseErrors: 2 })
    const dry = await project.apply(answer(write('two', 'b', 'b'), write('thr', 'c', 'c')), 'last', { dryRun: true })
    expect(told(dry)).toMatchObject({ success: true, totalBlocks: 3 })
    expect(told(await project.apply(answer(write('two', 'b', 'b')), 'last')))
      .toEqual({ success: false, totalBlocks: 3, parseErrors: 1, results: ['one ok', 'two ok'] })
  })

  it('is undone and redone as one, and listed as a chain', async () => {
    const project = new Project()
    const { runId } = await project.apply(answer(write('one', 'a', 'a'), broken('two')))
    const next = await project.apply(answer(write('two', 'b', 'b')), runId)
    expect((await listRuns(project.root)).map(({ continues }) => continues)).toEqual([runId, undefined])
    expect(await undo(project.reversal())).toMatchObject({
      success: true, target: next.runId, together: [runId], restored: ['b', 'a'],
    })
    await expect(project.apply(answer(), runId)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO', message: expect.stringContaining('taken back') })
    expect(await redo(project.reversal())).toMatchObject({ success: true, target: runId, together: [next.runId] })
    expect(project.text('a') + project.text('b')).toBe('ab')
    expect(await undo({ ...project.reversal(), target: next.runId })).toMatchObject({ restored: ['b'] })
    // What was taken back mends nothing: it is to be given again.
    expect(told(await project.apply(answer(write('two', 'b', 'c')), runId))).toMatchObject({ success: true, totalBlocks: 2 })
    writeFileSync(join(project.root, 'a'), 'mine')
    const partly = await undo(project.reversal())
    expect(partly).toMatchObject({ success: false, restored: ['b'] })
    expect(partly.warnings.at(-1)).toContain(`Run ${runId}, which belongs to it, is as it was: Changed since run`)
  })

  it('says why a run cannot be continued', async () => {
    const project = new Project()
    const refusal = async (given: string): Promise<string> => {
      return project.apply(answer(), given).then(() => '', (error: Error & { code: string }) => `${error.code}: ${error.message}`)
    }
    expect(await refusal('last')).toBe('ENOENT: No run of this root has left blocks to mend')
    const whole = await project.apply(answer(write('one', 'a', 'a')))
    expect(await refusal(whole.runId)).toBe(`ENOENT: Run ${whole.runId} cannot be continued: all of its blocks succeeded`)
    const first = await project.apply(answer(write('one', 'a', 'b'), broken('two')))
    expect(await refusal('9')).toBe('ENOENT: No such run of this root: 9')
    expect(await refusal('2')).toBe(`INVALID_OPTION: Several runs begin with 2: ${first.runId}, ${whole.runId}`)
    const back = await project.apply(answer(write('one', 'a', 'c'), broken('two')), undefined, { atomic: true })
    expect(await refusal(back.runId)).toBe(`ENOENT: Run ${back.runId} cannot be continued: all that it did was put back`)
    const file = join(project.root, '.hermes/runs', first.runId, 'answer.json')
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.replace('"isLoose":false', '"isLoose":1'))
    expect(await refusal(first.runId)).toBe(`CHANGED_ON_DISK: What is kept of run ${first.runId} cannot be read: ${file}`)
    writeFileSync(file, kept)
    const log = join(project.root, '.hermes/journal', first.runId, 'log.jsonl')
    writeFileSync(log, readFileSync(log, 'utf8').replace(/"mac":"/g, '"mac":"0'))
    expect(await refusal(first.runId)).toMatch(/^NOTHING_TO_UNDO: .*: its journal is not signed with this user's key/)
    rmSync(join(project.root, '.hermes/journal', first.runId), { recursive: true })
    expect(await refusal(first.runId)).toMatch(/^NOTHING_TO_UNDO: .*: its journal is gone/)
  })
})
