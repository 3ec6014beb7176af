import { EventEmitter, once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { defineVerb, HermesError, type AnyVerb, type VerbContext } from '../../../0-contracts/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { listRuns } from '../../../3-transaction/src/transaction/index.js'
import { Hermes } from '../../src/executor/index.js'

const COMMON = { vocabulary: 'hermes', description: 'For tests.', category: 'test', type: 'write', examples: [] } as const

/** A verb whose handler returns what its types forbid. */
function returning(returned: () => unknown, result: AnyVerb['result'] = v.unknown()): AnyVerb {
  return defineVerb({ ...COMMON, name: 't.act', args: v.strictObject({}), result, handler: () => returned() as never })
}

function writing(root: string, after: (context: VerbContext) => unknown, result: AnyVerb['result'] = v.strictObject({})): AnyVerb {
  return defineVerb({
    ...COMMON, name: 't.act', args: v.strictObject({}), result,
    async handler(_, context) {
      context.files.write(context.gate.approve(join(root, 'a.txt'), 'write'), 'written')
      return await after(context) as never
    },
  })
}

const CALL = '<tool_call>{"name": "t.act", "arguments": {}}</tool_call>'

/** The same call by each door of the library. */
async function byEachDoor(verb: AnyVerb, root: string): Promise<{ code: unknown; error: unknown }[]> {
  const registry = new VerbRegistry().register(verb)
  await using hermes = new Hermes({ root, registry, gitCommit: false })
  const { results: [executed] } = await hermes.execute(CALL)
  const { results: [called] } = await hermes.call([{ id: 'c1', name: 't.act', arguments: {} }])
  let streamed
  for await (const event of hermes.stream(CALL)) if (event.type === 'end') [streamed] = event.result.results
  const enveloped = JSON.parse(await hermes.verbExecutor().execute({ verb: 't.act', arguments: {} })) as Record<string, unknown>
  for (const each of [executed, called, streamed]) expect(JSON.parse(JSON.stringify(each))).toEqual(each)
  return [
    ...[executed, called, streamed].map((each) => ({ code: each?.code, error: each?.error })),
    { code: enveloped['errorCode'], error: enveloped['errorMessage'] },
  ]
}

const circular: Record<string, unknown> = { name: 'loop' }
circular['self'] = circular
const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown

describe('a result that JSON cannot say', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['that holds itself', () => circular, /self.*holds itself/],
    ['too deep', () => deep, /levels deep/],
    ['a BigInt', () => ({ n: 5n }), /n is a bigint/],
    ['a map', () => ({ m: new Map() }), /m is an object of Map/],
    ['bytes', () => ({ b: Buffer.from('x') }), /b is an object of Buffer/],
    ['a function', () => ({ f: () => 1 }), /f is a function/],
    ['a symbol in a list', () => ({ list: [1, Symbol('x')] }), /list\[1\] is a symbol/],
    ['nothing in a list', () => [undefined], /\[0\] is undefined/],
    ['no number', () => ({ n: NaN }), /n is NaN/],
    ['an endless number', () => Infinity, /it is Infinity/],
    ['a field that throws when it is read', () => ({ get x() { throw new TypeError('not now') } }), /x cannot be read \(not now\)/],
    ['a proxy that throws', () => new Proxy({}, { ownKeys() { throw new RangeError('never') } }), /it cannot be read \(never\)/],
  ])('%s is a failure of its block', async (_, returned, problem) => {
    for (const { code, error } of await byEachDoor(returning(returned), tempDir())) {
      expect(code).toBe('INTERNAL')
      expect(error).toMatch(/^t\.act: its result does not fit its schema: /)
      expect(error).toMatch(problem)
    }
  })

  it('is told of where it is the data of a failure', async () => {
    const verb = returning(() => { throw new HermesError('TOOL_FAILED', 't.act: no', { data: { n: 5n }, hint: 'Wait.' }) })
    await using hermes = new Hermes({ root: tempDir(), registry: new VerbRegistry().register(verb) })
    const { results } = await hermes.execute(CALL)
    expect(results).toMatchObject([{ code: 'TOOL_FAILED', error: 't.act: no', hint: 'Wait.\nIts data was left out: n is a bigint.' }])
    expect(results[0]).not.toHaveProperty('data')
  })
})

describe('a result that does not fit its schema', () => {
  const schema = v.strictObject({ words: v.pipe(v.number(), v.integer()), names: v.optional(v.array(v.strictObject({ name: v.string() }))) })

  it.each<[string, unknown, RegExp]>([
    ['a field is missing', {}, /words: it is missing$/],
    ['a field is of another type', { words: 'many' }, /words: expected number, got "many"$/],
    ['a field of a nested object', { words: 1, names: [{ name: 'a' }, { name: 2 }] }, /names\.1\.name: expected string, got 2$/],
    ['a field too many', { words: 1, more: true }, /more: the schema has no such field$/],
    ['nothing', undefined, /it is missing$/],
    ['a list', [1], /expected an object, got a list$/],
  ])('%s', async (_, returned, problem) => {
    for (const { code, error } of await byEachDoor(returning(() => returned, schema), tempDir())) {
      expect([code, error]).toEqual(['INTERNAL', expect.stringMatching(problem)])
    }
  })

  it('is passed on where it fits, without what is undefined', async () => {
    await using hermes = new Hermes({
      root: tempDir(), registry: new VerbRegistry().register(returning(() => ({ words: 2, names: undefined }), schema)),
    })
    const { results: [result] } = await hermes.execute(CALL)
    expect(result).toMatchObject({ success: true, data: { words: 2 } })
    expect(Object.keys(result?.data as object)).toEqual(['words'])
  })

  it('is passed on with names that objects have of themselves', async () => {
    const returned = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as unknown
    await using hermes = new Hermes({ root: tempDir(), registry: new VerbRegistry().register(returning(() => returned)) })
    const { results: [result] } = await hermes.execute(CALL)
    expect(JSON.stringify(result?.data)).toBe('{"__proto__":{"a":1},"constructor":2}')
  })

  it('keeps what was written on record, and says so', async () => {
    const root = tempDir()
    const registry = new VerbRegistry().register(writing(root, () => ({ wrong: 1 })))
    await using hermes = new Hermes({ root, registry })
    const { results } = await hermes.execute(CALL)
    expect(results).toMatchObject([{ code: 'INTERNAL', hint: expect.stringContaining(`Before that it had changed ${join(root, 'a.txt')}`) }])
    expect(await listRuns(root)).toMatchObject([{ files: ['a.txt'], failures: 1 }])
  })

  it('puts back what was written in an atomic run', async () => {
    const root = tempDir()
    const registry = new VerbRegistry().register(writing(root, () => ({ wrong: 1 })))
    await using hermes = new Hermes({ root, registry, atomic: true })
    expect(await hermes.execute(CALL)).toMatchObject({ success: false })
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })
})

describe('a handler that does not end', () => {
  const forever = new Promise<never>(() => undefined)

  /** As `byEachDoor`, cut short by `options` or by a signal that is aborted while the handler runs. */
  it.each<[string, { timeoutMs?: number }, string, string]>([
    ['TIMEOUT at its time limit', { timeoutMs: 20 }, 'TIMEOUT', 't.act: it took longer than 0.02 s, its time limit (TIMEOUT)'],
    ['CANCELLED once the signal is aborted', {}, 'CANCELLED', 't.act: cancelled (CANCELLED)'],
  ])('is given up: %s', async (_, options, code, error) => {
    const root = tempDir()
    let controller = new AbortController()
    const verb = writing(root, () => {
      if (options.timeoutMs === undefined) controller.abort()
      return forever
    })
    await using hermes = new Hermes({ root, registry: new VerbRegistry().register(verb), gitCommit: false, ...options })
    const failed = { code, error, hint: expect.stringContaining(`changed ${join(root, 'a.txt')}`) }
    expect((await hermes.execute(CALL, { signal: controller.signal })).results).toMatchObject([failed])
    controller = new AbortController()
    const { signal } = controller
    expect((await hermes.call([{ id: 'c1', name: 't.act', arguments: {} }], { signal })).results).toMatchObject([failed])
    controller = new AbortController()
    for await (const event of hermes.stream(CALL, { signal: controller.signal })) {
      if (event.type === 'block-end') expect(event.result).toMatchObject(failed)
    }
    controller = new AbortController()
    const answer = await hermes.verbExecutor().execute({ verb: 't.act', arguments: {} }, { signal: controller.signal })
    expect(JSON.parse(answer)).toMatchObject({ succeeded: false, errorCode: code, errorMessage: error })
  })

  it('ends orderly where it hears its signal, and what it knows by then is kept', async () => {
    const verb = returning(() => undefined)
    verb.handler = async (_: never, { signal }: VerbContext) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      throw new HermesError('TOOL_FAILED', 't.act: half', { data: { done: 1 } })
    }
    await using hermes = new Hermes({ root: tempDir(), registry: new VerbRegistry().register(verb), timeoutMs: 20 })
    expect((await hermes.execute(CALL)).results).toMatchObject([{ code: 'TIMEOUT', data: { done: 1 } }])
  })

  it('has failed as CANCELLED where its own request was aborted', async () => {
    const controller = new AbortController()
    const verb = returning(() => undefined)
    verb.handler = async (_: never, { signal }: VerbContext) => {
      controller.abort()
      signal.throwIfAborted()
    }
    await using hermes = new Hermes({ root: tempDir(), registry: new VerbRegistry().register(verb) })
    expect((await hermes.execute(CALL, { signal: controller.signal })).results).toMatchObject([{ code: 'CANCELLED' }])
  })

  it.each<[string, { timeoutMs?: number }, string, string]>([
    ['its time is over', { timeoutMs: 20 }, 'TIMEOUT', 'TimeoutError'],
    ['it was cancelled', {}, 'CANCELLED', 'AbortError'],
  ])('finds its signal aborted where it looks at it only after %s', async (_when, options, code, reason) => {
    const goOn = new EventEmitter()
    const controller = new AbortController()
    const verb = returning(() => undefined)
    verb.handler = async (_: never, context: VerbContext) => {
      if (options.timeoutMs === undefined) controller.abort()
      await once(goOn, 'later')
      goOn.emit('looked', context.signal.aborted, (context.signal.reason as Error).name)
    }
    await using hermes = new Hermes({ root: tempDir(), registry: new VerbRegistry().register(verb), ...options })
    expect((await hermes.execute(CALL, { signal: controller.signal })).results).toMatchObject([{ code }])
    const looked = once(goOn, 'looked')
    goOn.emit('later')
    expect(await looked).toEqual([true, reason])
  })

  it('does not count the time in which the user is asked', async () => {
    const verb = returning(() => undefined)
    verb.handler = async (_: never, { approve }: VerbContext) => approve({ action: 't.act', reason: 'r' })
    const slow = async (): Promise<'once'> => new Promise((resolve) => setTimeout(() => resolve('once'), 400))
    await using hermes = new Hermes({ root: tempDir(), registry: new VerbRegistry().register(verb), timeoutMs: 1, approve: slow })
    expect((await hermes.execute(CALL)).results).toMatchObject([{ success: true, data: 'granted' }])
  })

  it('writes nothing and asks nobody once it was given up, which the next run tells', async () => {
    const root = tempDir()
    const goOn = new EventEmitter()
    const refused: unknown[] = []
    const verb = writing(root, async ({ files, gate, approve, sandbox }) => {
      const path = gate.approve(join(root, 'b.txt'), 'write')
      await once(goOn, 'later')
      for (const act of [
        () => files.write(path, 'late'), () => files.copy(path, path), () => gate.approve(path, 'read'),
        () => approve({ action: 't.act', reason: 'r' }), () => sandbox.admit('t.act', 'true', approve),
      ]) {
        try {
          await act()
        } catch (error) {
          refused.push((error as HermesError).message)
        }
      }
      setImmediate(() => goOn.emit('ended'))
      return {}
    })
    const fine = defineVerb({ ...COMMON, name: 't.fine', args: v.strictObject({}), result: v.strictObject({}), handler: () => ({}) })
    const asked: unknown[] = []
    await using hermes = new Hermes({
      root, registry: new VerbRegistry().register(verb).register(fine), timeoutMs: 20,
      approve: (request) => { asked.push(request); return 'once' },
    })
    expect((await hermes.execute(CALL)).results).toMatchObject([{ code: 'TIMEOUT' }])
    const ended = once(goOn, 'ended')
    goOn.emit('later')
    await ended
    expect(refused).toEqual([
      `t.act was given up: it can no longer write ${join(root, 'b.txt')}`, `t.act was given up: it can no longer write ${join(root, 'b.txt')}`,
      `t.act was given up: it can no longer read ${join(root, 'b.txt')}`, 't.act was given up: it can no longer ask for an approval',
      't.act was given up: it can no longer run a command',
    ])
    expect([asked, existsSync(join(root, 'b.txt')), readFileSync(join(root, 'a.txt'), 'utf8')]).toEqual([[], false, 'written'])
    expect(await listRuns(root)).toMatchObject([{ files: ['a.txt'], state: 'applied' }])
    expect((await hermes.execute(CALL.replace('t.act', 't.fine'))).warnings).toEqual([
      `t.act wanted to write ${join(root, 'b.txt')} after it had been given up: refused`,
      't.act came to its end after it had been given up: its result was discarded',
    ])
  })
})
