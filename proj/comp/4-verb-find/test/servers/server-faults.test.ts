import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { createRunId, undo } from '../../../3-transaction/src/transaction/index.js'
import { serve, type Scenario } from './serve.js'

function cases<Case>(name: string): Case[] {
  const file = new URL(`../../test-data/servers/${name}.cases.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases
}

const FILES = {
  'a.py': 'def stop():\n    pass\n',
  'b.py': 'from a import stop\nstop()\n',
}
const USE = { file_path: 'b.py', line: 2, column: 1 }
/** What hermes finds without a server. */
const OWN = [expect.objectContaining({ path: 'a.py', line: 1, column: 5, name: 'stop' })]

interface Fault {
  name: string
  scenario: Scenario
  server?: object
  says: string
}

describe('a server that', () => {
  it.each(cases<Fault>('faults'))('$name costs no answer, and is told of', async ({ scenario, server = {}, says }) => {
    const served = serve(FILES, scenario, { server })
    await using _ = served.hermes
    const { success, data, hint } = await served.call('get_definition', USE)
    expect({ success, definitions: data?.['definitions'] }).toEqual({ success: true, definitions: OWN })
    expect(hint).toContain(`Language server ${says}`)
    expect(hint).toContain('without it')
  })

  it('has failed three times is not started again in the session', async () => {
    const served = serve(FILES, { initialize: 'crash', once: undefined })
    await using _ = served.hermes
    const hints: (string | undefined)[] = []
    for (let call = 1; call <= 4; call++) hints.push((await served.call('get_definition', USE)).hint)
    expect(hints[2]).toContain('ended before it answered initialize')
    expect(hints[3]).toContain('has failed 3 times in this session and is not started again')
    expect(served.log().filter(({ method }) => method === 'initialize')).toHaveLength(3)
  })

  it('lies in the project is no program of PATH where no sandbox holds it', async () => {
    const program = 'node_modules/.bin/served-by-project'
    const served = serve(
      { ...FILES, [program]: '#!/bin/sh\ntouch started\n' }, {}, { server: { command: 'served-by-project', args: [] } },
    )
    await using _ = served.hermes
    chmodSync(join(served.root, program), 0o755)
    vi.stubEnv('PATH', [join(served.root, 'node_modules/.bin'), process.env['PATH']].join(delimiter))
    const { hint } = await served.call('get_definition', USE)
    vi.unstubAllEnvs()
    expect(existsSync(join(served.root, 'started'))).toBe(false)
    expect(hint).toContain('fake was not started: there is no program served-by-project')
  })

  it('refuses to start is for the user to mend', async () => {
    const error = { code: -32603, message: 'no TypeScript here' }
    const served = serve(FILES, { initialize: { error } })
    await using _ = served.hermes
    const { error: message, hint } = await served.call('symbol_rename', { path: 'a.py', symbol: 'stop', new_name: 'halt' })
    expect(message).toContain('refused initialize: no TypeScript here')
    expect(hint).toContain('Start it by hand')
  })

  it('crashes once is started and asked again', async () => {
    const served = serve(FILES, { answers: { 'textDocument/definition': ['crash once', { result: null }] } })
    await using _ = served.hermes
    const { hint } = await served.call('get_definition', USE)
    expect(hint).toBeUndefined()
    expect(served.log().filter(({ method }) => method === 'initialize')).toHaveLength(2)
  })

  it('hangs twice is ended, and started for the next question', async () => {
    const served = serve(
      FILES, { answers: { 'textDocument/definition': ['hang'] } }, { server: { call_time: '200ms' } },
    )
    await using _ = served.hermes
    for (let call = 1; call <= 3; call++) await served.call('get_definition', USE)
    const starts = served.log().filter(({ method }) => method === 'initialize').length
    expect(starts).toBeGreaterThanOrEqual(2)
  })

  it('asks what only an editor knows is answered', async () => {
    const asks = [
      { method: 'workspace/configuration', params: { items: [{ section: 'fake.deep' }, { section: 'none' }, {}] } },
      { method: 'client/registerCapability', params: { registrations: [] } },
      { method: 'window/workDoneProgress/create', params: { token: 'a' } },
      { method: 'workspace/applyEdit', params: { edit: { changes: {} } } },
      { method: 'workspace/workspaceFolders' },
      { method: 'window/showMessageRequest', params: { type: 1, message: 'which?' } },
      { method: 'workspace/unheardOf' },
    ]
    const settings = { fake: { deep: { on: true } } }
    const served = serve(FILES, { asks, answers: { 'textDocument/definition': [{ result: null }] } }, { server: { settings } })
    await using _ = served.hermes
    await served.call('get_definition', USE)
    await expect.poll(() => served.log().filter(({ method }) => method === undefined)).toHaveLength(asks.length)
    const answers = new Map(served.log().filter(({ method }) => method === undefined)
      .map(({ id, result, error }) => [id, error ?? result]))
    expect([...answers.values()]).toEqual([
      [{ on: true }, null, settings], null, null,
      { applied: false, failureReason: expect.any(String) }, [{ uri: expect.stringMatching(/^file:/), name: 'root' }], null,
      expect.objectContaining({ code: -32601 }),
    ])
  })
})

type Short = [number, number, number, number, string]

/** Edits as the protocol has them. */
function written(edit: unknown): unknown {
  if (Array.isArray(edit)) {
    const [line, character, toLine, to, newText] = edit as Short
    return typeof line === 'number'
      ? { range: { start: { line, character }, end: { line: toLine, character: to } }, newText } : edit.map(written)
  }
  if (typeof edit !== 'object' || edit === null) return edit
  return Object.fromEntries(Object.entries(edit).map(([name, value]) => [name, written(value)]))
}

describe('a rename is refused whole where a server names', () => {
  it.each(cases<{ name: string; edit: unknown; expected: object }>('refused-edits'))(
    '$name',
    async ({ edit, expected }) => {
      const served = serve(FILES, { answers: { 'textDocument/rename': [{ result: written(edit) }] } })
      await using _ = served.hermes
      const outcome = await served.call('symbol_rename', { path: 'a.py', symbol: 'stop', new_name: 'halt' })
      expect(outcome).toMatchObject({ success: false, ...expected })
      expect(outcome.hint).toBeTruthy()
      for (const [name, content] of Object.entries(FILES)) expect(served.read(name)).toBe(content)
    },
  )
})

describe('symbol_rename', () => {
  const RENAME = { path: 'a.py', symbol: 'stop', new_name: 'halt' }
  const both = {
    documentChanges: [
      { textDocument: { uri: '$root/b.py', version: null }, edits: [[0, 14, 0, 18, 'halt'], [1, 0, 1, 4, 'halt']] },
      { textDocument: { uri: '$root/a.py', version: 1 }, edits: [[0, 4, 0, 8, 'halt']] },
    ],
  }
  const answers = { 'textDocument/rename': [{ result: written(both) }] }

  it('changes all places in one run, which undo takes back', async () => {
    const served = serve(FILES, { answers })
    await using _ = served.hermes
    const { success, data } = await served.call('symbol_rename', RENAME)
    expect(success).toBe(true)
    expect(data).toEqual({
      old_name: 'stop', new_name: 'halt', server: 'fake', replacements_made: 3,
      files: [{ path: 'a.py', replacements: 1 }, { path: 'b.py', replacements: 2 }],
    })
    expect([served.read('a.py'), served.read('b.py')]).toEqual([
      'def halt():\n    pass\n', 'from a import halt\nhalt()\n',
    ])
    const taken = await undo({
      root: served.root, gate: createPathGate({ root: served.root, forUser: true }), runId: createRunId(), force: false,
      git: false, durable: false, waitMs: 0, signal: new AbortController().signal,
    })
    expect(taken).toMatchObject({ success: true, left: [] })
    expect([served.read('a.py'), served.read('b.py')]).toEqual(Object.values(FILES))
  })

  it('shows what it would do in a dry run, and sees what blocks before it did', async () => {
    const served = serve({ ...FILES, 'a.py': 'x = 1\n' }, { answers }, { dryRun: true })
    await using _ = served.hermes
    const text = [{ verb: 'write_file', arguments: { path: 'a.py', content: FILES['a.py'] } }, { verb: 'symbol_rename', arguments: RENAME }]
      .map((one) => ['```json hermes', JSON.stringify(one), '```'].join('\n')).join('\n\n')
    const { results } = await served.hermes.execute(text)
    expect(results.map(({ success, error }) => [success, error])).toEqual([[true, undefined], [true, undefined]])
    expect(results[1]?.data).toMatchObject({ replacements_made: 3 })
    expect([served.read('a.py'), served.read('b.py')]).toEqual(['x = 1\n', FILES['b.py']])
    const opened = served.log().find(({ method, params }) => method === 'textDocument/didOpen'
      && JSON.stringify(params).includes('/a.py"'))
    expect(opened?.params?.['textDocument']).toMatchObject({ text: FILES['a.py'], languageId: 'python' })
  })

  it('keeps line ends and the byte order mark, and counts as the server does', async () => {
    const files = { 'a.py': '\ufeffe = "😀"; stop = 1\r\nstop\r\n' }
    const edit = { changes: { '$root/%61.py': [[0, 12, 0, 16, 'halt'], [1, 0, 1, 4, 'halt']] } }
    const served = serve(files, { encoding: 'utf-8', answers: { 'textDocument/rename': [{ result: written(edit) }] } })
    await using _ = served.hermes
    const { success, error } = await served.call('symbol_rename', RENAME)
    expect([success, error]).toEqual([true, undefined])
    expect(served.read('a.py')).toBe('\ufeffe = "😀"; halt = 1\r\nhalt\r\n')
    const asked = served.log().find(({ method }) => method === 'textDocument/rename')
    expect(asked?.params?.['position']).toEqual({ line: 0, character: 12 })
  })

  it('lists where the name stands on that the server did not name', async () => {
    const files = { ...FILES, 'c.py': 'def other(x):\n    x.stop()\n' }
    const served = serve(files, { answers })
    await using _ = served.hermes
    const { data, hint } = await served.call('symbol_rename', RENAME)
    expect(data).toMatchObject({ unrenamed: [{ path: 'c.py', line: 2, column: 7, text: '    x.stop()' }] })
    expect(hint).toContain('c.py:2')
    expect(served.read('c.py')).toBe(files['c.py'])
  })

  it('changes nothing where a file has changed since the server read it', async () => {
    const text = 'from a import stop\n\nstop()\n'
    const step = { writes: { path: '$here/b.py', text }, result: written(both) }
    const own = serve(FILES, { answers: { 'textDocument/rename': [step] } })
    await using _ = own.hermes
    const { success, code } = await own.call('symbol_rename', RENAME)
    expect([success, code]).toEqual([false, 'CHANGED_ON_DISK'])
    expect([own.read('a.py'), own.read('b.py')]).toEqual([FILES['a.py'], text])
  })

  it.each(['two words', 'a.b', "x'; y", '', 'a\nb'])('refuses the new name %j', async (new_name) => {
    const served = serve(FILES, { answers })
    await using _ = served.hermes
    const { success, code } = await served.call('symbol_rename', { ...RENAME, new_name })
    expect([success, code]).toEqual([false, 'INVALID_PARAMETER'])
    expect(served.read('a.py')).toBe(FILES['a.py'])
  })
})
