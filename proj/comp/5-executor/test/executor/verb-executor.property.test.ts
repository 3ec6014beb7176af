import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { dump } from 'js-yaml'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { type GoldenCase, readGoldens } from '../../../../test/support/goldens.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { defineVerb, HermesError } from '../../../0-contracts/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../src/verbs/index.js'
import { type ExecutorOptions, VerbExecutor } from '../../src/executor/index.js'
import { bodies, matcher } from './run-goldens.js'
import { testRegistry } from './test-verbs.js'
import { expectedTree, foundTree, plantTree, type Tree } from './trees.js'

const cases = readGoldens(new URL('../../test-data/executor/verb-executor.cases.md', import.meta.url))

describe.each([...new Set(cases.map(({ group }) => group))])('%s', (group) => {
  it.each(cases.filter((golden) => golden.group === group))('$name', async (golden) => {
    const root = join(tempDir(), 'project')
    const before = bodies<Tree>(golden, 'before', root)[0] ?? {}
    plantTree(root, before)
    const [options] = bodies<ExecutorOptions>(golden, 'options', root)
    await using executor = new VerbExecutor({ registry: testRegistry(), sandbox: 'none', ...options, root })
    for (const { input, answer } of exchanges(golden, root)) {
      expect(await answerTo(executor, input), input).toEqual(matcher(answer))
    }
    const after = bodies<Tree | 'any'>(golden, 'after', root)[0] ?? before
    if (after !== 'any') expect(foundTree(root)).toEqual(expectedTree(after))
  })
})

/** Each input with the answer that follows it. */
function exchanges({ fences }: GoldenCase, root: string): { input: string; answer: unknown }[] {
  return fences.flatMap(({ info, body }, index) => {
    if (kindOf(info) !== 'input') return []
    const next = fences[index + 1]
    if (next === undefined || !['result', 'rejection'].includes(kindOf(next.info))) throw new Error('no answer')
    const answer = JSON.parse(next.body.replaceAll('<root>', root)) as object
    return [{
      input: body.replaceAll('<root>', root),
      answer: kindOf(next.info) === 'result' ? { result: answer } : { rejection: answer },
    }]
  })
}

function kindOf(info: string): string {
  return info.split(' ')[1] ?? ''
}

async function answerTo(executor: VerbExecutor, input: string | object): Promise<object> {
  try {
    const text = await executor.execute(input)
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    return { result: JSON.parse(text) as object }
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    const { code, message, hint } = error
    expect(message).not.toContain('\n')
    return { rejection: { code, message, hint } }
  }
}

const echo = (name: string) => defineVerb({
  name, vocabulary: 'hermes', description: 'For tests.', category: 'test', version: '1.0.0', type: 'meta',
  accessibility: ['llm'], constraints: [], primary: undefined, examples: [],
  args: v.strictObject({ text_in: v.optional(v.string(), 'none') }),
  result: v.strictObject({ text_out: v.string() }),
  handler: ({ text_in: text }) => ({ text_out: text }),
})

describe('register', () => {
  it('adds a verb, and refuses its name in any case afterwards', async () => {
    const executor = new VerbExecutor({ root: tempDir() }).register(echo('my_Echo'))
    const result = await executor.execute('verb: MY_ECHO\narguments: { text_in: é }')
    expect(result).toBe('{"succeeded":true,"textOut":"é"}')
    for (const name of ['my_Echo', 'MY_ECHO', 'fs.EXISTS', 'LS', 'Read_File']) {
      expect(() => executor.register(echo(name)), name).toThrow(expect.objectContaining({
        code: 'ALREADY_REGISTERED', message: `Verb '${name}' is already registered.`,
      }))
    }
  })

  it('refuses what is no verb', () => {
    const executor = new VerbExecutor({ root: tempDir() })
    for (const verb of [undefined, {}, { name: 5 }, { ...echo('x'), handler: 'x' }]) {
      expect(() => executor.register(verb as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    }
  })

  it('adds to this executor only', async () => {
    new VerbExecutor({ root: tempDir() }).register(echo('my.echo'))
    expect(await answerTo(new VerbExecutor({ root: tempDir() }), { verb: 'my.echo', arguments: {} }))
      .toMatchObject({ rejection: { message: "Unknown Verb 'my.echo'." } })
  })

  it('refuses a registry whose names differ in case only', () => {
    const registry = new VerbRegistry(VERBS).register(echo('LS'))
    expect(() => new VerbExecutor({ root: tempDir(), registry })).toThrow("Verb 'LS' is already registered.")
  })
})

describe('an envelope that is a value', () => {
  const cyclic: Record<string, unknown> = { verb: 'my.echo' }
  cyclic['arguments'] = cyclic
  it.each([
    [{ verb: 'my.echo', arguments: { text_in: 'x' } }, { result: { succeeded: true, textOut: 'x' } }],
    [{ verb: 'my.echo' }, { rejection: { message: 'Invalid Verb envelope.' } }],
    [{ verb: 'my.echo', arguments: {}, more: 1 }, { rejection: { message: 'Invalid Verb envelope.' } }],
    [[], { rejection: { message: 'Invalid Verb envelope.' } }],
    [null, { rejection: { message: 'Invalid Verb envelope.' } }],
    [5, { rejection: { message: 'Invalid Verb envelope.' } }],
    [undefined, { rejection: { message: 'Invalid Verb envelope.' } }],
    [{ verb: 'my.echo', arguments: { text_in: 5n } }, { rejection: { message: 'Invalid Verb envelope.' } }],
    [cyclic, { rejection: { message: 'Invalid Verb envelope.' } }],
    [{ verb: 'my.echo', arguments: { text_in: '\ud800' } }, { rejection: { code: 'INVALID_PARAMETER' } }],
  ])('case %#', async (input, answer) => {
    const executor = new VerbExecutor({ root: tempDir() }).register(echo('my.echo'))
    expect(await answerTo(executor, input as object)).toMatchObject(answer)
  })
})

it('reads text with a byte order mark and CRLF', async () => {
  const executor = new VerbExecutor({ root: tempDir() })
  const text = '\ufeffverb: fs.exists\r\narguments:\r\n  path: a.txt\r\n'
  expect(await executor.execute(text)).toBe('{"succeeded":true,"exists":false}')
})

it('quotes a long and strange name on one line', async () => {
  const { rejection } = await answerTo(new VerbExecutor({ root: tempDir() }), {
    verb: `\u001b[31m\n${'x'.repeat(1000)}`, arguments: {},
  }) as { rejection: { message: string } }
  expect(rejection.message.length).toBeLessThan(200)
  expect(rejection.message).not.toMatch(/[\u0000-\u001f]/)
})

it('names what a failure knows in camelCase, declared or not', async () => {
  const failing = defineVerb({
    ...echo('my.failing'),
    handler: () => {
      throw new HermesError('NONZERO_EXIT', 'failed', { data: { exit_code: 1, text_out: 'x', in_it: { as_is: 1 } } })
    },
  })
  const executor = new VerbExecutor({ root: tempDir() }).register(failing)
  expect(JSON.parse(await executor.execute({ verb: 'my.failing', arguments: {} }))).toEqual({
    succeeded: false, errorMessage: 'failed', errorCode: 'NONZERO_EXIT', exitCode: 1, textOut: 'x', inIt: { as_is: 1 },
  })
})

it('asks for consent once, when the answer holds for the session and the kind', async () => {
  const root = join(tempDir(), 'project')
  plantTree(root, { 'a.txt': '', 'b.txt': '' })
  const asked: string[] = []
  const executor = new VerbExecutor({
    root,
    approve: ({ action }) => {
      asked.push(action)
      return { answer: 'session', scope: 'kind' }
    },
  })
  for (const path of ['a.txt', 'b.txt']) {
    const result = await executor.execute({ verb: 'delete_file', arguments: { path } })
    expect(JSON.parse(result)).toMatchObject({ succeeded: true })
  }
  expect(asked).toEqual(['delete_file'])
})

it('keeps the output of each call apart', async () => {
  const executor = new VerbExecutor({ root: tempDir(), sandbox: 'none' })
  const run = (text: string) => (
    executor.execute({ verb: 'proc.run', arguments: { executable: 'echo', arguments: [text] } })
  )
  const results = (await Promise.all([run('a'), run('b')])).map((text) => JSON.parse(text) as { stdoutPath: string })
  expect(results.map(({ stdoutPath }) => readFileSync(stdoutPath, 'utf8'))).toEqual(['a\n', 'b\n'])
  const content = await executor.execute({ verb: 'fs.readFile', arguments: { path: results[0]?.stdoutPath ?? '' } })
  expect(JSON.parse(content)).toEqual({ succeeded: true, content: 'a\n' })
})

it('runs nothing once it is cancelled', async () => {
  const root = join(tempDir(), 'project')
  plantTree(root, {})
  const executor = new VerbExecutor({ root, signal: AbortSignal.abort() })
  expect(await answerTo(executor, { verb: 'fs.writeFile', arguments: { path: 'a', content: '' } })).toEqual({
    result: {
      succeeded: false, errorMessage: 'Cancelled before it started', errorCode: 'CANCELLED', hint: 'Run it again.',
    },
  })
  expect(foundTree(root)).toEqual({})
})

it('ends what runs when it is disposed of', async () => {
  const root = tempDir()
  const executor = new VerbExecutor({ root, sandbox: 'none' })
  const running = answerTo(executor, { verb: 'execute_command', arguments: { command: 'echo begun; touch begun; sleep 60' } })
  while (!existsSync(join(root, 'begun'))) await sleep(5)
  await executor[Symbol.asyncDispose]()
  expect(await running).toMatchObject({ result: { succeeded: false, errorCode: 'CANCELLED', stdout: 'begun\n' } })
})

it('refuses wrong options as Hermes does', () => {
  expect(() => new VerbExecutor({ roots: '.' } as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
})

describe('whatever the text', () => {
  const piece = fc.constantFrom(
    'verb: ls', 'verb:', 'fs.exists', 'arguments:', '  path: a', ' {path: a}', '\n', '\n', '---', '- ', '"', "'",
    '{', '}', '[', ']', ':', ',', '&a', '*a', '!!str', '|', '>', '%', '#', '\\', '\t', '\u0000', '\ufeff', '1e400', 'null',
    '{"verb":"ls","arguments":{}}',
  )

  it('is answered by JSON or a HermesError', async () => {
    const executor = new VerbExecutor({ root: tempDir(), toolsets: ['read-only'] })
    const soup = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))
    const text = fc.oneof(fc.string({ unit: 'binary' }), soup)
    await fc.assert(fc.asyncProperty(text, async (input) => {
      expect(Object.keys(await answerTo(executor, input))).toHaveLength(1)
    }), { numRuns: 2000 })
  })

  it('reads an envelope the same as JSON, as YAML and as a value', async () => {
    const executor = new VerbExecutor({ root: tempDir() }).register(echo('my.echo'))
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const envelope = { verb: 'my.echo', arguments: { text_in: text } }
      const expected = { result: { succeeded: true, textOut: text } }
      expect(await answerTo(executor, envelope)).toEqual(expected)
      expect(await answerTo(executor, JSON.stringify(envelope))).toEqual(expected)
      expect(await answerTo(executor, dump(envelope))).toEqual(expected)
    }), { numRuns: 500 })
  })
})
