import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { serve } from './serve.js'

const at = (path: string, line: number, character: number, length: number) => ({
  uri: `$root/${path}`, range: { start: { line, character }, end: { line, character: character + length } },
})
const FILES = {
  'a.py': 'class Server:\n    def stop(self):\n        pass\n',
  'b.py': 'import a\nx = "😀"; a.Server().stop()\n\n\ndef other(y):\n    y.stop()\n',
}

describe('get_definition', () => {
  const USE = { file_path: 'b.py', line: 2, column: 22 }

  it('tells what the server says, by whom', async () => {
    const answers = { 'textDocument/definition': [{ result: [at('a.py', 1, 8, 4)] }] }
    const served = serve(FILES, { answers })
    await using _ = served.hermes
    const { data, hint } = await served.call('get_definition', USE)
    expect(data).toEqual({
      server: 'fake',
      definitions: [{
        path: 'a.py', line: 2, column: 9, end_line: 3, name: 'stop', kind: 'method', resolved: true,
        text: '    def stop(self):\n        pass',
      }],
    })
    expect(hint).toBeUndefined()
    const asked = served.log().find(({ method }) => method === 'textDocument/definition')
    expect(asked?.params?.['position']).toEqual({ line: 1, character: 21 })
  })

  it('takes links to places, and names the module of a place outside', async () => {
    const { uri, range } = at('a.py', 1, 8, 4)
    const link = { targetUri: uri, targetRange: range, targetSelectionRange: range }
    const outside = { uri: 'file:///usr/lib/python3/os.pyi', range }
    const served = serve(FILES, { answers: { 'textDocument/definition': [{ result: [link] }, { result: outside }] } })
    await using _ = served.hermes
    expect((await served.call('get_definition', USE)).data?.['definitions']).toMatchObject([{ path: 'a.py', line: 2 }])
    expect((await served.call('get_definition', USE)).data).toEqual({ definitions: [], external: 'os', server: 'fake' })
  })

  it('waits for a server that is still reading the project', async () => {
    const progress = (kind: string) => ({ method: '$/progress', params: { token: 't', value: { kind, title: 'indexing' } } })
    const answers = {
      'textDocument/definition': [
        { say: [progress('begin'), progress('end')], result: null }, { result: at('a.py', 1, 8, 4) },
      ],
    }
    const served = serve(FILES, { answers })
    await using _ = served.hermes
    expect((await served.call('get_definition', USE)).data).toMatchObject({ server: 'fake' })
  })

  it('asks one server a session, and tells it what has changed since', async () => {
    const served = serve(FILES, { answers: { 'textDocument/definition': [{ result: null }] } })
    await using _ = served.hermes
    await served.call('get_definition', USE)
    writeFileSync(`${served.root}/c.py`, 'z = 1\n')
    writeFileSync(`${served.root}/b.py`, `${FILES['b.py']}# more\n`)
    await served.call('get_definition', USE)
    const log = served.log()
    expect(log.filter(({ method }) => method === 'initialize')).toHaveLength(1)
    const told = log.filter(({ method }) => method === 'workspace/didChangeWatchedFiles')
    expect(told.map(({ params }) => params?.['changes'])).toEqual([expect.arrayContaining([
      { uri: expect.stringMatching(/\/c\.py$/), type: 1 }, { uri: expect.stringMatching(/\/b\.py$/), type: 2 },
    ])])
    expect(log.find(({ method }) => method === 'textDocument/didChange')?.params)
      .toMatchObject({ contentChanges: [{ text: `${FILES['b.py']}# more\n` }] })
  })

  it('starts no server where the policy lets no program run', async () => {
    const policy = { language_servers: { fake: { command: '/bin/false', languages: ['python'] } }, verbs: { exec: 'off' as const } }
    const off = serve(FILES, {}, { policy })
    await using _ = off.hermes
    const { data, hint } = await off.call('get_definition', USE)
    expect([data?.['server'], hint]).toEqual([undefined, undefined])
  })
})

describe('find_symbol', () => {
  it('resolves references by the server, and leaves others by name', async () => {
    const result = [at('a.py', 1, 8, 4), at('b.py', 1, 21, 4)]
    const served = serve(FILES, { answers: { 'textDocument/references': [{ result }] } })
    await using _ = served.hermes
    const { data } = await served.call('find_symbol', { symbol_name: 'Server.stop', include_references: true })
    expect(data?.['references']).toMatchObject([
      { path: 'b.py', line: 2, column: 22, resolved: true }, { path: 'b.py', line: 6, column: 7, resolved: false },
    ])
  })
})

describe('find_symbol of a name with many uses', () => {
  it('reads each file once, and lets hermes do other things meanwhile', async () => {
    const uses = 6000
    const use = `stop()  # ${'x'.repeat(40)}\n`
    const result = [at('a.py', 0, 4, 4), ...Array.from({ length: uses }, (_, index) => at('a.py', index + 2, 0, 4))]
    const files = { 'a.py': `def stop():\n    pass\n${use.repeat(uses)}` }
    const served = serve(files, { answers: { 'textDocument/references': [{ result }] } })
    await using _ = served.hermes
    const find = async () => served.call('find_symbol', { symbol_name: 'stop', include_references: true })
    expect((await find()).data).toMatchObject({ total_references: uses })
    const startedAt = performance.now()
    await find()
    // By a read of the file for each use it took minutes.
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })
})

describe('diagnostics', () => {
  const rules = {
    'a.py': [{ has: 'pass', severity: 2, code: 'W1', source: 'Fake', message: 'lazy' }],
    'b.py': [{ has: 'a.Server', severity: 1, code: 7, message: 'two\nlines' }, { has: 'other', severity: 4, message: 'unused' }],
  }

  it.each([['with', {}], ['without', { unversioned: true }]])('tells what a server publishes %s versions', async (_, more) => {
    const served = serve(FILES, { diagnostics: rules, ...more })
    await using __ = served.hermes
    const { data } = await served.call('diagnostics', {})
    expect(data).toEqual({
      checked: 2,
      diagnostics: [
        { path: 'a.py', line: 3, column: 9, end_line: 3, end_column: 13, severity: 'warning', code: 'W1', source: 'Fake', message: 'lazy' },
        { path: 'b.py', line: 2, column: 11, end_line: 2, end_column: 19, severity: 'error', code: '7', message: 'two\nlines' },
      ],
    })
    const all = await served.call('diagnostics', { path: 'b.py', severity: 'hint', max_results: 1 })
    expect(all.data).toMatchObject({ checked: 1, total: 2, diagnostics: [{ code: '7' }] })
  })

  it('tells what holds after another file has changed', async () => {
    const unknown = { has: 'stop', without: { '/a.py': 'def stop' }, severity: 1, message: 'unknown' }
    const files = { 'a.py': 'def stop():\n    pass\n', 'b.py': 'stop()\n' }
    const served = serve(files, { diagnostics: { 'a.py': [], 'b.py': [unknown] }, late: 500 })
    await using _ = served.hermes
    await served.call('diagnostics', {})
    await served.call('edit_replace', { path: 'a.py', old_text: 'def stop():', new_text: 'def halt():' })
    const { data } = await served.call('diagnostics', { path: 'b.py' })
    expect(data?.['diagnostics']).toMatchObject([{ line: 1, message: 'unknown' }])
  })

  it('asks a server that is to be asked', async () => {
    const initialize = { capabilities: { textDocumentSync: 1, diagnosticProvider: { identifier: 'f' } } }
    const items = [{ range: at('', 0, 0, 5).range, message: 'odd' }]
    const served = serve(FILES, { initialize, answers: { 'textDocument/diagnostic': [{ result: { kind: 'full', items } }] } })
    await using _ = served.hermes
    const { data } = await served.call('diagnostics', { path: 'a.py' })
    expect(data).toMatchObject({ checked: 1, diagnostics: [{ severity: 'error', line: 1, message: 'odd' }] })
  })

  it('says of which files nothing is known', async () => {
    const served = serve(FILES, { diagnostics: { 'b.py': [] } }, { server: { call_time: '500ms' } })
    await using _ = served.hermes
    const { data, hint } = await served.call('diagnostics', {})
    expect(data).toEqual({ diagnostics: [], checked: 1, unchecked: ['a.py'] })
    expect(hint).toContain('Nothing is known of 1 file')
  })

  it('needs a server for the language', async () => {
    const served = serve({ 'a.rb': 'x = 1\n' }, {})
    await using _ = served.hermes
    const { code, hint } = await served.call('diagnostics', { path: 'a.rb' })
    expect(code).toBe('NOT_INSTALLED')
    expect(hint).toContain('There are servers for python')
    const none = serve(FILES, {}, { policy: {} })
    await using __ = none.hermes
    expect((await none.call('diagnostics', { path: 'a.py' })).code).toBe('NOT_INSTALLED')
  })
})

describe('checks: full', () => {
  it.each([['with', {}], ['without', { unversioned: true }]])('tells what is new by a server %s versions', async (_, more) => {
    const rules = [{ has: 'broken', severity: 1, code: 'E1', message: 'is\n  broken' }, { has: 'old', severity: 1, message: 'old' }]
    const served = serve({ 'a.py': 'old = 1\n' }, { diagnostics: { 'a.py': rules }, ...more }, { checks: 'full' })
    await using __ = served.hermes
    const edit = (old_text: string, new_text: string) => served.call('edit_replace', { path: 'a.py', old_text, new_text })
    const told = await edit('old = 1', 'x = 0\nold = 1\nbroken = 2')
    expect(told).toMatchObject({
      success: true, hint: 'a.py has new problems: line 3 E1 is broken',
      warnings: ['a.py has new problems: line 3 E1 is broken'],
      broke: [{ path: 'a.py', diagnostics: [{ line: 3, code: 'E1', message: 'is broken' }] }],
    })
    expect((await edit('x = 0', 'x = 5')).broke).toBeUndefined()
  })

  it('says that nothing is known where the server fails', async () => {
    const served = serve({ 'a.py': 'x = 1\n' }, { initialize: 'crash', once: undefined }, { checks: 'full' })
    await using _ = served.hermes
    const { success, warnings } = await served.call('edit_replace', { path: 'a.py', old_text: 'x = 1', new_text: 'x = 2' })
    expect(success).toBe(true)
    expect(warnings).toEqual([expect.stringMatching(/^Language server fake ended before .*new problems of the changed files are not known$/)])
  })
})

needing('bubblewrap').it('a server in the sandbox sees the root and changes nothing of it', async () => {
  const step = { writes: { path: '$here/planted.py', text: '' }, result: null }
  const served = serve(
    FILES, { log: undefined, answers: { 'textDocument/definition': [step] } }, { sandbox: 'bwrap' },
  )
  await using _ = served.hermes
  const { hint } = await served.call('get_definition', { file_path: 'b.py', line: 2, column: 22 })
  // It could not write, and says so as it ends.
  expect(hint).toContain('Language server fake ended before it answered textDocument/definition')
  expect(() => served.read('planted.py')).toThrow(/ENOENT/)
})
