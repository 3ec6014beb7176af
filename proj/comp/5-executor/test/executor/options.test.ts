import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { loadPolicy } from '../../../2-config/src/config/index.js'
import { HermesError, type HermesEvent } from '../../../0-contracts/src/index.js'
import { type ExecutorOptions, execute, Hermes } from '../../src/executor/index.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { checkOptions } from '../../src/executor/option-schemas.js'
import { VERBS } from '../../src/verbs/index.js'
import { readSettings } from '../../src/executor/settings.js'
import { expectAccounts, expectEvents } from './accounts.js'

const call = (path: string): string => `<tool_call>{"name": "dir_create", "arguments": {"path": "/workspace/${path}"}}</tool_call>\n`

function refusal(act: () => unknown): HermesError {
  try {
    act()
  } catch (error) {
    if (error instanceof HermesError) return error
    throw error
  }
  throw new Error('it was taken')
}

it('an option that is undefined counts as not given, whichever it is', async () => {
  const { hint = '' } = refusal(() => new Hermes({ zzzzzz: 1 } as never))
  const names = hint.replace(/^Options: |\.$/g, '').split(', ')
  expect(names.length).toBeGreaterThan(40)
  const root = tempDir()
  const none = Object.fromEntries(names.map((name) => [name, undefined]))
  const result = await execute(call('made'), { ...none, root, rootAliases: ['/workspace'] })
  expect(result).toMatchObject({ success: true, executedActions: 1 })
  expect(result).not.toHaveProperty('dryRun')
  expect(namesIn(root)).toContain('made')
  // Types let them pass, also with exactOptionalPropertyTypes.
  const absent = undefined as string | undefined
  const forwarded: ExecutorOptions = {
    root, relativePaths: absent === 'yes' || undefined, sandbox: undefined, timeoutMs: undefined, signal: undefined, limits: { maxBlocks: undefined },
    policy: { sandbox: undefined, verbs: { exec: undefined }, limits: { blocks: undefined }, deny: undefined, hooks: undefined, reply: { tokens: undefined } },
  }
  const session = new Hermes(forwarded)
  const again = await session.execute('<tool_call>{"name": "write_file", "arguments": {"path": "b.txt", "content": ""}}</tool_call>', { signal: undefined, taskId: undefined, runId: undefined })
  expect(again).toMatchObject({ success: true, executedActions: 1 })
  expect(again.reply({ tokens: undefined })).toContain('b.txt')
})

describe('wrong options throw INVALID_OPTION with a hint', () => {
  const cases: [name: string, options: unknown, message: RegExp, hint: RegExp][] = [
    ['unknown, with a near name', { rootAlias: ['/w'] }, /rootAlias/, /rootAliases/],
    ['unknown, far from all', { zzzzzz: 1 }, /zzzzzz/, /root, allow/],
    ['unknown limit', { limits: { maxFileByte: 1 } }, /maxFileByte/, /maxFileBytes/],
    ['a limit by its name in policies', { limits: { file_size: 1 } }, /file_size/, /Did you mean maxFileBytes/],
    ['not an object', 'x', /./, /./],
    ['null', null, /./, /./],
    ['an array', [], /./, /./],
    ['limits as an array', { limits: [] }, /limits/, /./],
    ['root that is not there', { root: '/no/such/directory' }, /\/no\/such\/directory/, /./],
    ['root of a wrong type', { root: 5 }, /root/, /string/],
    ['empty root', { root: '' }, /root/, /./],
    ['root with NUL', { root: '/tmp/\0' }, /root/, /./],
    ['root that is always denied', { root: '/etc' }, /\/etc/, /./],
    ['allowed directory that is not there', { allow: ['/no/such/directory'] }, /\/no\/such\/directory/, /./],
    ['alias that is relative', { rootAliases: ['workspace'] }, /workspace/, /\/workspace/],
    ['unknown toolset', { toolsets: ['edits'] }, /edits/, /edit\b/],
    ["toolset of Object's own", { toolsets: ['constructor'] }, /constructor/, /edit/],
    ['toolsets as a string', { toolsets: 'edit' }, /toolsets/, /./],
    ['flag as a string', { dryRun: 'yes' }, /dryRun/, /boolean/],
    ['limit of zero', { limits: { maxFileBytes: 0 } }, /maxFileBytes/, /1/],
    ['limit that is no number', { limits: { maxMatches: Number.NaN } }, /maxMatches/, /number/],
    ['timeout below one', { timeoutMs: 0 }, /timeoutMs/, /1/],
    ['signal that is none', { signal: {} }, /signal/, /AbortSignal/],
    ['listener that is none', { onEvent: 'log' }, /onEvent/, /[Ff]unction/],
    ['registry that is none', { registry: {} }, /registry/, /./],
    ['aliases that are no list', { rootAliases: '/w' }, /an array of strings/, /rootAliases: \['\/workspace'\]/],
    ['an allowed directory that is no text', { allow: [5] }, /allow/, /allow: \['\/home\/me\/other'\]/],
  ]
  it.each(cases)('%s', async (_, options, message, hint) => {
    const root = tempDir()
    const complete = typeof options === 'object' && options !== null && !Array.isArray(options) ? { root, ...options } : options
    const thrown = [
      await execute(call('never'), complete as ExecutorOptions).catch((error: unknown) => error),
      constructing(complete as ExecutorOptions),
    ]
    for (const error of thrown) {
      expect(error).toBeInstanceOf(HermesError)
      expect(error).toMatchObject({ code: 'INVALID_OPTION' })
      expect((error as HermesError).message).toMatch(message)
      expect((error as HermesError).message).not.toContain('\n')
      expect((error as HermesError).hint).toMatch(hint)
    }
    expect(namesIn(root)).toEqual([])
  })

  /** What the example of a hint needs: it is run as it is written. */
  const NAMES = { VERBS, VerbRegistry, AbortSignal, process, console }

  it.each(['root', 'allow', 'rootAliases', 'relativePaths', 'toolsets', 'editFormats', 'limits', 'policy', 'sandbox', 'network', 'timeoutMs', 'waitMs',
    'gitCommit', 'approve', 'onEvent', 'signal', 'registry'])('%s: the hint shows a value that it takes', (name) => {
    const [, example = ''] = /execute\(text, (\{.*\})\)\.$/.exec(String((constructing({ [name]: Symbol.iterator }) as HermesError).hint)) ?? []
    const options = new Function(...Object.keys(NAMES), `return (${example})`)(...Object.values(NAMES)) as object
    expect(Object.keys(options)).toEqual([name])
    expect(() => checkOptions(options)).not.toThrow()
  })

  it('root that is a file', async () => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, '')
    expect(constructing({ root: file })).toMatchObject({ code: 'INVALID_OPTION' })
  })

  function constructing(options: ExecutorOptions): unknown {
    try {
      return new Hermes(options)
    } catch (error) {
      return error
    }
  }
})

describe('time limits', () => {
  it.each<[ExecutorOptions, usual: number, longest: number]>([
    [{}, 120_000, 3_600_000],
    [{ timeoutMs: 60_000 }, 60_000, 60_000],
    [{ timeoutMs: 600_000 }, 600_000, 600_000],
    [{ limits: { commandTimeoutMs: 5 } }, 5, 5],
    [{ limits: { commandTimeoutMs: 5 }, timeoutMs: 7 }, 7, 7],
    [{ limits: { maxCommandTimeoutMs: 7_200_000 } }, 120_000, 7_200_000],
    [{ limits: { maxCommandTimeoutMs: 1_000 } }, 1_000, 1_000],
    [{ timeoutMs: 5_000, limits: { maxCommandTimeoutMs: 10_000 } }, 5_000, 10_000],
    [{ timeoutMs: 50_000, limits: { maxCommandTimeoutMs: 10_000 } }, 10_000, 10_000],
  ])('%j', async (options, usual, longest) => {
    const { wishes } = readSettings(options)
    const { limits } = await loadPolicy({ root: tempDir(), policy: false, wishes })
    expect(limits).toMatchObject({ commandTimeoutMs: usual, maxCommandTimeoutMs: longest })
  })
})

describe('right options', () => {
  it('undefined counts as not given', async () => {
    const root = tempDir()
    const options = { root, rootAliases: ['/workspace'], allow: undefined, limits: { maxFileBytes: undefined }, signal: undefined }
    expect(await execute(call('one'), options as unknown as ExecutorOptions)).toMatchObject({ success: true })
  })

  it('no toolset at all allows no verb', async () => {
    const root = tempDir()
    const result = await execute(call('one'), { root, rootAliases: ['/workspace'], toolsets: [] })
    expect(result).toMatchObject({ success: false, executedActions: 0, results: [{ code: 'POLICY_DENIED' }] })
    expect(namesIn(root)).toEqual([])
  })

  it('the root is the working directory unless given', async () => {
    const result = await execute('<tool_call>{"name": "glob", "arguments": {"base_path": ".", "pattern": "package.json"}}</tool_call>', {
      relativePaths: true,
    })
    expect(result.results[0]?.data).toEqual(['package.json'])
  })

  it('a root that is gone by the next call is a fatal error, not an exception', async () => {
    const root = join(tempDir(), 'root')
    mkdirSync(root)
    const hermes = new Hermes({ root, rootAliases: ['/workspace'] })
    rmSync(root, { recursive: true })
    const result = await hermes.execute(call('one'))
    expect(result).toMatchObject({ success: false, executedActions: 0, fatalError: expect.stringContaining(root) as string })
    expectAccounts(result)
  })
})

describe('onEvent', () => {
  it('hears everything in text order, before the next thing happens', async () => {
    const root = tempDir()
    const heard: string[] = []
    const events: HermesEvent[] = []
    const text = `${call('one')}> ${call('no')}#!END_SHAM_abc\n${call('two')}`
    const result = await execute(text, {
      root,
      rootAliases: ['/workspace'],
      onEvent: (event) => {
        events.push(event)
        heard.push(`${event.type}: ${namesIn(root).join()}`)
      },
    })
    expect(heard).toEqual([
      'block-start: ', 'block-end: one', 'skipped: one', 'parse-error: one', 'block-start: one', 'block-end: one,two', 'end: one,two',
    ])
    expectEvents(events, result)
    expect(events.find(({ type }) => type === 'block-start')).toEqual({
      type: 'block-start', seq: 1, blockId: 'b1', action: 'dir_create', startLine: 1, subject: 'one',
    })
    expect(events.find(({ type }) => type === 'block-end')).toMatchObject({
      changes: [{ kind: 'create-directory', path: join(root, 'one') }],
    })
  })

  const failures: [name: string, thrown: unknown][] = [
    ['an Error', new Error('printer on fire')], ['a text', 'printer on fire'], ['nothing', undefined],
    ['an object without prototype', Object.create(null)],
  ]
  for (const [name, thrown] of failures) {
    it.each(['block-start', 'block-end', 'end'])(`that throws ${name} at %s is a fatal error and stops the run`, async (type) => {
      const root = tempDir()
      const text = `${call('one')}#!END_SHAM_abc\n${call('two')}`
      const result = await execute(text, {
        root,
        rootAliases: ['/workspace'],
        onEvent: (event) => {
          if (event.type === type) throw thrown
        },
      })
      expectAccounts(result)
      expect(result).toMatchObject({ success: false, totalBlocks: 3, fatalError: expect.stringMatching(/^[^\n]+$/) as string })
      if (typeof thrown === 'string') expect(result.fatalError).toContain(thrown)
      const made = { 'block-start': [], 'block-end': ['one'], end: ['one', 'two'] }[type]
      expect(namesIn(root)).toEqual(made)
      expect(result.executedActions).toBe(made?.length)
      expect(result.results.map(({ code }) => code)).toEqual(
        [0, 1].map((index) => index < (made?.length ?? 0) ? undefined : 'CANCELLED'),
      )
    })
  }
})
