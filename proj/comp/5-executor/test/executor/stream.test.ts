import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../src/executor/index.js'
import { expectEvents } from './accounts.js'

const call = (path: string): string => `<tool_call>{"name": "dir_create", "arguments": {"path": "/workspace/${path}"}}</tool_call>\n`

function session(root: string): Hermes {
  return new Hermes({ root, rootAliases: ['/workspace'], sandbox: 'none' })
}

async function resultOf(stream: AsyncIterable<HermesEvent>): Promise<ExecutionResult> {
  const events: HermesEvent[] = []
  for await (const event of stream) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'end') throw new Error('no end')
  expectEvents(events, last.result)
  return last.result
}

describe('stream', () => {
  it('runs a block before the text has ended, each format when its end is decided', async () => {
    const root = tempDir()
    const seen: string[][] = []
    async function* chunks(): AsyncGenerator<string> {
      for (const chunk of [
        '#!SHAM [@x: abc]\naction = "dir_create"\npath = "/workspace/sham"\n', '#!END_SHAM_abc\n', call('tool'),
        '```yaml hermes\nverb: dir_create\narguments: {path: /workspace/envelope}\n', '```\n',
      ]) {
        yield chunk
        seen.push(namesIn(root))
      }
    }
    const result = await resultOf(session(root).stream(chunks()))
    expect(seen).toEqual([
      [], ['sham'], ['sham', 'tool'], ['sham', 'tool'], ['envelope', 'sham', 'tool'],
    ])
    expect(result).toMatchObject({ success: true, totalBlocks: 3, executedActions: 3 })
  })

  it('does not run a block whose end marker may still be content', async () => {
    const root = tempDir()
    const head = '#!SHAM [@x: abc]\naction = "file_write"\npath = "/workspace/a"\n'
    const open = `${head}content = <<'EOT_SHAM_abc'\nx\n#!END_SHAM_abc\n`
    async function* chunks(): AsyncGenerator<string> {
      yield open
      expect(namesIn(root)).toEqual([])
      yield 'EOT_SHAM_abc\n#!END_SHAM_abc'
      expect(namesIn(root)).toEqual([])
      yield '\n'
      expect(namesIn(root)).toEqual(['a'])
    }
    expect(await resultOf(session(root).stream(chunks()))).toMatchObject({ success: true, executedActions: 1 })
  })

  it('gives events one by one: a start, then its end, before the next piece is asked for', async () => {
    const root = tempDir()
    const order: string[] = []
    async function* chunks(): AsyncGenerator<string> {
      for (const name of ['one', 'two']) {
        order.push(`piece ${name}`)
        yield call(name)
      }
    }
    for await (const event of session(root).stream(chunks())) order.push(event.type)
    expect(order).toEqual(['piece one', 'block-start', 'block-end', 'piece two', 'block-start', 'block-end', 'end'])
  })

  it('can be left early: what was not asked for does not run', async () => {
    const root = tempDir()
    for await (const event of session(root).stream([call('one'), call('two'), call('three')])) {
      if (event.type === 'block-end') break
    }
    expect(namesIn(root)).toEqual(['one'])
  })

  it('tells the caller when the source of the text fails; what has ended by then has run, what has not never does', async () => {
    const root = tempDir()
    async function* chunks(): AsyncGenerator<string> {
      yield `${call('one')}#!SHAM [@x: abc]\naction = "dir_create"\npath = "/workspace/two"\n`
      throw new Error('connection lost')
    }
    await expect(resultOf(session(root).stream(chunks()))).rejects.toThrow('connection lost')
    expect(namesIn(root)).toEqual(['one'])
  })
})

describe('a stray closing think tag', () => {
  it('is reported when something live came before it', async () => {
    const root = tempDir()
    const result = await resultOf(session(root).stream([call('one'), '</think>\n', call('two')]))
    const hint = expect.stringContaining('startsInThink') as string
    expect(namesIn(root)).toEqual(['one', 'two'])
    expect(result).toMatchObject({
      success: false, totalBlocks: 2, executedActions: 2,
      parseErrors: [{ startLine: 2, error: { code: 'STRAY_THINK_END', line: 2, hint } }],
    })
  })

  it('is not when nothing did, nor with startsInThink, which skips what came before', async () => {
    const root = tempDir()
    const quiet = await resultOf(session(root).stream(['So.\n</think>\n', call('two')]))
    expect(quiet).toMatchObject({ success: true, parseErrors: [], executedActions: 1 })
    const told = await resultOf(new Hermes({ root, rootAliases: ['/workspace'], startsInThink: true })
      .stream([call('one'), '</think>\n', call('three')]))
    expect(told).toMatchObject({ success: true, parseErrors: [], executedActions: 1, skipped: [{ startLine: 1, endLine: 1 }] })
    expect(namesIn(root)).toEqual(['three', 'two'])
  })

  it('makes execute take all before it for thinking', async () => {
    const root = tempDir()
    const result = await session(root).execute(`${call('one')}</think>\n${call('two')}`)
    expect(result).toMatchObject({ success: true, totalBlocks: 1, executedActions: 1, skipped: [{ startLine: 1, endLine: 1 }] })
    expect(namesIn(root)).toEqual(['two'])
  })
})

describe('ending early', () => {
  const exec = (code: string): string => (
    `<tool_call>${JSON.stringify({ name: 'exec', arguments: { lang: 'bash', code } })}</tool_call>\n`
  )

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  it('a signal kills the running command and cancels the rest', async () => {
    const root = tempDir()
    const controller = new AbortController()
    const hermes = new Hermes({ root, rootAliases: ['/workspace'], sandbox: 'none', signal: controller.signal })
    const running = hermes.execute(exec('touch begun; sleep 60; touch ended') + call('never'))
    await until(() => existsSync(join(root, 'begun')))
    controller.abort()
    expect(await running).toMatchObject({
      success: false, executedActions: 1, results: [{ code: 'CANCELLED' }, { code: 'CANCELLED' }],
    })
    expect(namesIn(root)).toEqual(['begun'])
  })

  it('so does disposing of the session', async () => {
    const root = tempDir()
    const hermes = session(root)
    const running = hermes.execute(exec('touch begun; sleep 60; touch ended') + call('never'))
    await until(() => existsSync(join(root, 'begun')))
    await hermes[Symbol.asyncDispose]()
    expect((await running).results.map(({ code }) => code)).toEqual(['CANCELLED', 'CANCELLED'])
    expect(namesIn(root)).toEqual(['begun'])
  })

  it('a signal aborted beforehand lets nothing start, and all is still accounted for', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a'), 'a')
    const hermes = new Hermes({ root, rootAliases: ['/workspace'], signal: AbortSignal.abort() })
    const result = await hermes.execute(`${call('one')}#!END_SHAM_abc\n${call('two')}`)
    expect(result).toMatchObject({
      success: false, totalBlocks: 3, executedActions: 0, results: [{ code: 'CANCELLED' }, { code: 'CANCELLED' }],
      parseErrors: [{ startLine: 2 }],
    })
    expect(namesIn(root)).toEqual(['a'])
  })
})
