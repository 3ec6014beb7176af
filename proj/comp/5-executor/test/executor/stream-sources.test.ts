import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { expect, describe, it } from 'vitest'
import { namesIn } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ExecutionResult, HermesEvent, StreamOptions } from '../../../0-contracts/src/index.js'
import { Hermes, type ExecutorOptions, type TextSource } from '../../src/executor/index.js'
import { expectEvents } from './accounts.js'

const call = (path: string): string => `<tool_call>{"name": "dir_create", "arguments": {"path": "/w/${path}"}}</tool_call>\n`
const BLOCK = '#!SHAM [@x: abc]\r\naction = "file_write"\r\npath = "/w/ü"\r\ncontent = <<\'EOT_SHAM_abc\'\r\n€ 😀\r\nEOT_SHAM_abc\r\n#!END_SHAM_abc\r\n'
const bytes = new TextEncoder().encode(`\ufeff${BLOCK}`)

function session(root: string, options: ExecutorOptions = {}): Hermes {
  return new Hermes({ root, rootAliases: ['/w'], ...options })
}

/** Aborted while the next piece is waited for. */
function abortedAfterOne(controller: AbortController): ExecutorOptions {
  return {
    signal: controller.signal,
    onEvent: ({ type }) => {
      if (type === 'block-end') setTimeout(() => controller.abort(), 20)
    },
  }
}

/** All events, and what the stream threw after them. */
async function run(hermes: Hermes, chunks: TextSource, options?: StreamOptions): Promise<{ result: ExecutionResult; thrown?: unknown }> {
  const events: HermesEvent[] = []
  let thrown: { thrown?: unknown } = {}
  try {
    for await (const event of hermes.stream(chunks, options)) events.push(event)
  } catch (error) {
    thrown = { thrown: error }
  }
  const last = events.at(-1)
  if (last?.type !== 'end') throw thrown.thrown ?? new Error('no end')
  expectEvents(events, last.result)
  return { result: last.result, ...thrown }
}

describe('a text may come', () => {
  it.each<[string, () => TextSource]>([
    ['as bytes, one by one', () => Array.from(bytes, (byte) => Uint8Array.of(byte))],
    ['as a stream of Node', () => Readable.from([bytes.subarray(0, 70), bytes.subarray(70)])],
    ['as a stream of the web', () => new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })],
    ['as the body of a fetch', () => new Response(bytes).body ?? []],
    ['as one string', () => `\ufeff${BLOCK}`],
    ['with empty pieces', () => ['', new Uint8Array(0), '\ufeff', '', BLOCK, '']],
    ['as strings and bytes', () => [bytes.subarray(0, 3), BLOCK.slice(0, 40), new TextEncoder().encode(BLOCK.slice(40))]],
  ])('%s', async (_, chunks) => {
    const root = tempDir()
    const { result } = await run(session(root), chunks())
    expect(result).toMatchObject({ success: true, executedActions: 1, results: [{ params: { content: '€ 😀' } }] })
    expect(namesIn(root).filter((name) => name !== '.hermes')).toEqual(['ü'])
  })

  it.each<[string, unknown]>([['a number', 1], ['nothing', undefined], ['an object', {}]])('not as %s', async (_, chunks) => {
    await expect(run(session(tempDir()), chunks as TextSource)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it.each<[string, object]>([
    ['a limit below 0', { maxKeptBytes: -1 }], ['no number', { maxKeptBytes: NaN }], ['another name', { maxKept: 1 }],
  ])('not with %s', async (_, options) => {
    await expect(run(session(tempDir()), [], options)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

describe('a text that breaks off', () => {
  const open = '#!SHAM [@x: abc]\naction = "dir_create"\npath = "/w/two"\n'

  it('by its source: what has ended has run, what is open is an error, and what was thrown is thrown after the end', async () => {
    const root = tempDir()
    const lost = new Error('connection lost')
    async function* chunks(): AsyncGenerator<string> {
      yield `${call('one')}${open}`
      throw lost
    }
    const { result, thrown } = await run(session(root), chunks())
    expect(thrown).toBe(lost)
    expect(result).toMatchObject({
      success: false, totalBlocks: 2, executedActions: 1, fatalError: 'The text broke off: Error: connection lost',
      parseErrors: [{ blockId: 'abc', error: { code: 'UNCLOSED_BLOCK' } }],
    })
    expect(namesIn(root)).toEqual(['one'])
  })

  it('before what its end would decide: that does not run', async () => {
    const root = tempDir()
    // Where the text ends here, the heredoc costs its own block only, and the next one runs.
    const text = `#!SHAM [@x: abc]\naction = "file_write"\npath = "/w/a"\ncontent = <<'EOT_SHAM_abc'\nx\n#!END_SHAM_abc\n${call('after')}`
    async function* chunks(): AsyncGenerator<string> {
      yield text
      throw new Error('connection lost')
    }
    const { result } = await run(session(root), chunks())
    expect(result.parseErrors).toMatchObject([{ error: { code: 'UNCLOSED_HEREDOC' } }])
    expect(result.results).toMatchObject([{ code: 'CANCELLED', error: 'Not started: the run was stopped' }])
    expect(namesIn(root)).toEqual([])
    await run(session(root), [text])
    expect(namesIn(root)).toEqual(['after'])
  })

  it.each<[string, Uint8Array[]]>([
    ['in one piece', [Buffer.concat([Buffer.from(call('one')), Buffer.from('x\nb\xffd\n', 'latin1'), Buffer.from(call('two'))])]],
    ['cut before the wrong byte', [Buffer.from(`${call('one')}x\nb`), Buffer.from('\xffd\n', 'latin1'), Buffer.from(call('two'))]],
    ['at its end', [Buffer.from(`${call('one')}x\n`), Buffer.from('\xc3', 'latin1')]],
  ])('where bytes are no UTF-8, %s', async (_, chunks) => {
    const root = tempDir()
    const { result, thrown } = await run(session(root), chunks)
    expect(thrown).toMatchObject({ code: 'NOT_TEXT', message: 'The text is not valid UTF-8: line 3' })
    expect(result).toMatchObject({ success: false, totalBlocks: 1, fatalError: 'The text broke off: The text is not valid UTF-8: line 3' })
    expect(namesIn(root)).toEqual(['one'])
  })

  it('by a piece that is no text', async () => {
    const root = tempDir()
    const { thrown } = await run(session(root), [call('one'), 1 as unknown as string])
    expect(thrown).toMatchObject({ code: 'INVALID_OPTION' })
    expect(namesIn(root)).toEqual(['one'])
  })

  it('by the signal, while the source is silent: nothing more is waited for', async () => {
    const root = tempDir()
    const controller = new AbortController()
    const state = { cancelled: false }
    const source = new ReadableStream<string>({
      start(stream) {
        stream.enqueue(`${call('one')}${open}`)
      },
      cancel() {
        state.cancelled = true
      },
    })
    const { result, thrown } = await run(session(root, abortedAfterOne(controller)), source)
    expect(thrown).toBeUndefined()
    expect(result).toMatchObject({
      success: false, totalBlocks: 2, executedActions: 1, fatalError: 'Cancelled before the text had ended',
      parseErrors: [{ error: { code: 'UNCLOSED_BLOCK' } }],
    })
    expect({ names: namesIn(root), ...state }).toEqual({ names: ['one'], cancelled: true })
  })

  it('by the signal, while a stream of Node is silent: it is destroyed', async () => {
    const controller = new AbortController()
    const source = new Readable({ read: () => undefined })
    source.push(call('one'))
    await run(session(tempDir(), abortedAfterOne(controller)), source)
    expect(source.destroyed).toBe(true)
  })

  it('by the signal, between blocks of an endless text', async () => {
    const root = tempDir()
    const controller = new AbortController()
    const endings: string[] = []
    async function* endless(): AsyncGenerator<string> {
      try {
        for (let number = 0; ; number++) {
          if (number === 3) controller.abort()
          yield call(`${number}`)
        }
      } finally {
        endings.push('source')
      }
    }
    const { result } = await run(session(root, { signal: controller.signal }), endless())
    expect(result).toMatchObject({ success: false, executedActions: 3 })
    expect(namesIn(root)).toEqual(['0', '1', '2'])
    expect(endings).toEqual(['source'])
  })
})

describe('what a stream keeps', () => {
  const failing = (name: string): string => `<tool_call>{"name": "dir_delete", "arguments": {"path": "/w/${name}"}}</tool_call>\n`
  const text = Array.from({ length: 40 }, (_, at) => `${call(`d${at}`)}${at % 4 === 0 ? failing(`no${at}`) : ''}`).join('')
    + '> <tool_call>{}</tool_call>\n\n#!SHAM abc\n'

  it('is all of an answer of usual size, as of execute', async () => {
    const { result } = await run(session(tempDir()), text.split(''))
    expect(result.omitted).toBeUndefined()
    expect(result.results.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  })

  it('is what failed where there is no room for all; counts and summary are of all', async () => {
    const root = tempDir()
    const events: HermesEvent[] = []
    for await (const event of session(root).stream(text.split(/(?<=\n)/), { maxKeptBytes: 6000 })) events.push(event)
    const last = events.at(-1)
    if (last?.type !== 'end') throw new Error('no end')
    const { result } = last
    expect(result).toMatchObject({
      success: false, totalBlocks: 51, executedActions: 50, omitted: { succeeded: 40, failed: 0, parseErrors: 0, skipped: 0 },
    })
    expect(result.results.map(({ blockId, success }) => [blockId, success])).toEqual(
      events.flatMap((event) => event.type === 'block-end' && !event.result.success ? [[event.result.blockId, false]] : []),
    )
    expect([result.results.length, result.parseErrors.length, result.skipped.length]).toEqual([10, 1, 1])
    expect(events.filter(({ type }) => type === 'block-end')).toHaveLength(50)
  })

  it('is nothing with 0, and all with Infinity', async () => {
    const results: ExecutionResult[] = []
    for (const maxKeptBytes of [0, Infinity]) {
      for await (const event of session(tempDir()).stream([text], { maxKeptBytes })) if (event.type === 'end') results.push(event.result)
    }
    expect(results).toMatchObject([
      { results: [], parseErrors: [], skipped: [], omitted: { succeeded: 40, failed: 10, parseErrors: 1, skipped: 1 } },
      { totalBlocks: 51 },
    ])
    expect(results[1]?.results).toHaveLength(50)
    expect(results[1]).not.toHaveProperty('omitted')
  })
})
