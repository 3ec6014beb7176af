import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Checker, type Document } from '../../../../test/support/openrpc.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ActionResult, ApprovalRequest } from '../../../0-contracts/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { FILE_METHODS } from '../../../2-extensions/src/index.js'
import { Hermes, VERBS, type ExecutorOptions } from '../../src/index.js'

const program = fileURLToPath(new URL('../../test-data/own-verbs/asking.mjs', import.meta.url))
const protocol = fileURLToPath(new URL('../../../../../docs/protocol/extension.openrpc.json', import.meta.url))

const WRITES = { name: 'do_it', description: 'Do what the arguments say.', access: 'write', arguments: { type: 'object', additionalProperties: true } }
type Request = { method: string; params?: object; anyway?: true }
type Verb = Record<string, unknown>

interface Place {
  root: string
  /** What the extension wrote to standard error. */
  log: () => string
  /** What it did wrong, as the session tells it. */
  warnings: string[]
  hermes: Hermes
  call: (args: object, verb?: string) => Promise<ActionResult>
}

/** A session whose user has an extension that brings these verbs. */
function place(verbs: readonly Verb[], { policy = {}, names, ...options }: Omit<ExecutorOptions, 'policy'> & { policy?: object; names?: string[] } = {}): Place {
  const directory = tempDir()
  const root = join(directory, 'root')
  mkdirSync(root)
  writeFileSync(join(directory, 'verbs.json'), JSON.stringify(verbs))
  const log: string[] = []
  const warnings: string[] = []
  const hermes = new Hermes({
    root, gitCommit: false, relativePaths: true, ...options,
    policy: {
      ...policy,
      extensions: { asking: { command: process.execPath, args: [program, join(directory, 'verbs.json')], verbs: names ?? verbs.map(({ name }) => name) } },
    } as never,
    onExtensionLog: (text) => log.push(text), onExtensionWarning: (line) => warnings.push(line),
  })
  return {
    root, log: () => log.join(''), warnings, hermes,
    async call(args, verb = 'do_it') {
      const { results: [result] } = await hermes.call([{ id: '1', name: verb, arguments: JSON.stringify(args) }])
      if (!result) throw new Error('no result')
      return result
    },
  }
}

const requests = (...list: Request[]): object => ({ requests: list })
const write = (path: string, content = path): Request => ({ method: 'fs/writeFile', params: { path, content } })

describe('a verb that an extension brings', () => {
  it('reaches files by requests that are verbs, with their params and results as the document has them', async () => {
    const { root, call, hermes } = place([WRITES])
    writeFileSync(join(root, 'old.txt'), 'one\ntwo\n')
    const each: Record<typeof FILE_METHODS[number], object> = {
      'fs/exists': { path: 'old.txt' }, 'fs/readFile': { path: 'old.txt' }, 'fs/lineCount': { path: 'old.txt' },
      'fs/readRange': { path: 'old.txt', startLine: 2, endLine: 2 },
      'fs/createDirectory': { path: 'empty' }, 'fs/writeFile': { path: 'new/a.txt', content: 'a\n' },
      'fs/writeRange': { path: 'new/a.txt', startLine: 1, endLine: 1, content: 'b\n' },
      'fs/copyFile': { sourcePath: 'new/a.txt', destinationPath: 'new/b.txt' }, 'fs/moveFile': { sourcePath: 'new/b.txt', destinationPath: 'c.txt' },
      'fs/listDir': { path: 'new' }, 'fs/deleteFile': { path: 'c.txt' }, 'fs/deleteDirectory': { path: 'empty' },
    }
    const names = Object.keys(each) as (typeof FILE_METHODS[number])[]
    const result = await call(requests(...names.map((method) => ({ method, params: each[method], anyway: true as const }))))
    await hermes[Symbol.asyncDispose]()
    const { answers } = result.data as { answers: { code?: number }[] }
    expect(answers.filter(({ code }) => code !== undefined)).toEqual([])
    const checker = new Checker(JSON.parse(readFileSync(protocol, 'utf8')) as Document)
    expect(names.flatMap((method, index) => [
      ...checker.params(method, { executionId: 1, ...each[method] }, 'extension'), ...checker.result(method, answers[index]),
    ])).toEqual([])
    expect(names.toSorted()).toEqual([...FILE_METHODS].toSorted())
    expect(checker.params('verb/execute', { verb: 'do_it', arguments: {}, executionId: 1, dryRun: false }, 'hermes')).toEqual([])
  })

  it('writes nothing outside of the root, nor what the policy closes, and tells the model so', async () => {
    const { root, call, hermes } = place([WRITES], { policy: { deny: ['secret/**'], read_only: ['fixed.txt'] } })
    writeFileSync(join(root, 'fixed.txt'), 'as it was')
    const outcomes = []
    for (const path of ['../outside.txt', 'secret/key', 'fixed.txt', '.git/config', '.hermes/runs/x']) outcomes.push(await call(requests(write(path))))
    await hermes[Symbol.asyncDispose]()
    expect(outcomes.map(({ success, code }) => [success, code])).toEqual(Array.from({ length: 5 }, () => [false, 'POLICY_DENIED']))
    expect(outcomes.map(({ hint }) => typeof hint)).toEqual(Array.from({ length: 5 }, () => 'string'))
    expect([existsSync(join(root, '../outside.txt')), existsSync(join(root, 'secret')), readFileSync(join(root, 'fixed.txt'), 'utf8')]).toEqual([false, false, 'as it was'])
  })

  it('says what it had written before it failed', async () => {
    const { call, hermes } = place([WRITES], { policy: { deny: ['b.txt'] } })
    const { success, code, hint } = await call(requests(write('a.txt'), write('b.txt')))
    await hermes[Symbol.asyncDispose]()
    expect([success, code]).toEqual([false, 'POLICY_DENIED'])
    expect(hint).toContain('Before that it had changed')
    expect(hint).toContain('a.txt')
  })

  it('only reads where it says so: it is held to it, as to the policy', async () => {
    const reads = { ...WRITES, name: 'look', access: 'read' }
    const { root, call, hermes } = place([reads, WRITES], { policy: { verbs: { write: 'off' } } })
    const refused = await call(requests(write('a.txt')), 'look')
    expect([refused.code, refused.error]).toEqual(['POLICY_DENIED', expect.stringContaining('look is a verb that only reads')])
    expect(await call({}, 'look')).toMatchObject({ success: true })
    expect(await call({})).toMatchObject({ success: false, code: 'POLICY_DENIED', error: expect.stringContaining('do_it is switched off') as string })
    await hermes[Symbol.asyncDispose]()
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })

  it.each([undefined, 'run', 'network'])('with access %s counts as one that runs commands', async (access) => {
    const { call, hermes } = place([{ ...WRITES, access }], { policy: { verbs: { exec: 'off' } } })
    expect(await call({})).toMatchObject({ success: false, code: 'POLICY_DENIED', error: expect.stringContaining('exec: off') as string })
    expect(await hermes.verbs()).not.toContainEqual(expect.objectContaining({ name: 'do_it' }))
    await hermes[Symbol.asyncDispose]()
  })

  it('is asked about with the difference that it would make, and writes no other', async () => {
    const asked: ApprovalRequest[] = []
    const { root, call, hermes } = place([WRITES], {
      policy: { verbs: { write: 'ask' } }, approve: (request) => {
        asked.push(request)
        return asked.length === 1 ? 'once' : 'deny'
      },
    })
    expect(await call(requests(write('a.txt', 'new\n')))).toMatchObject({ success: true })
    expect(await call(requests(write('b.txt', 'new\n')))).toMatchObject({ success: false, code: 'APPROVAL_DENIED' })
    await hermes[Symbol.asyncDispose]()
    expect(asked.map(({ action, diff }) => [action, diff])).toEqual([['do_it', expect.stringContaining('+new')], ['do_it', expect.stringContaining('b.txt')]])
    expect([existsSync(join(root, 'a.txt')), existsSync(join(root, 'b.txt'))]).toEqual([true, false])
  })

  it('of class exec asks for what it writes where the policy wants that', async () => {
    const asked: ApprovalRequest[] = []
    const { root, call, hermes } = place([{ ...WRITES, access: 'exec' }], {
      policy: { verbs: { write: 'ask' } }, approve: (request) => {
        asked.push(request)
        return 'deny' as const
      },
    })
    expect(await call(requests(write('a.txt')))).toMatchObject({ success: false, code: 'APPROVAL_DENIED' })
    await hermes[Symbol.asyncDispose]()
    expect([asked.map(({ action }) => action), existsSync(join(root, 'a.txt'))]).toEqual([['fs.writeFile'], false])
  })

  it('in a dry run is told so, reads what it would have written, and changes nothing; of class exec it is not called', async () => {
    const { root, call, hermes, log } = place([WRITES, { ...WRITES, name: 'run_it', access: 'exec' }], { dryRun: true })
    expect(await call(requests(write('run.txt')), 'run_it')).toMatchObject({ success: true, hint: 'Dry run: not started.' })
    const { data } = await call(requests(write('a.txt', 'text'), { method: 'fs/readFile', params: { path: 'a.txt' } }))
    await hermes[Symbol.asyncDispose]()
    expect(data).toMatchObject({ dryRun: true, answers: [{}, { content: 'text' }] })
    expect([existsSync(join(root, 'a.txt')), existsSync(join(root, '.hermes')), log()]).toEqual([false, false, 'started\n'])
  })

  it('gives its own code, hint and data of a failure', async () => {
    const { call, hermes } = place([WRITES])
    const own = await call({ fail: { code: -32050, message: 'no such issue', data: { code: 'NO_ISSUE', hint: 'List them first.', data: { known: [1] } } } })
    const plain = await call({ fail: { code: -32050, message: 'it rains' } })
    const unknown = await call({ fail: { code: -32601, message: 'what?' } })
    await hermes[Symbol.asyncDispose]()
    expect(own).toMatchObject({ success: false, code: 'NO_ISSUE', error: 'do_it: no such issue', hint: 'List them first.', data: { known: [1] } })
    expect(plain).toMatchObject({ success: false, code: 'TOOL_FAILED', error: 'do_it: it rains' })
    expect(unknown).toMatchObject({ success: false, code: 'EXTENSION_FAILED' })
  })

  it('is held to the schemas that it gives', async () => {
    const strict = {
      ...WRITES, arguments: { type: 'object', properties: { result: {}, count: { type: 'integer', minimum: 1 } }, required: ['count'] },
      result: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'], additionalProperties: false },
    }
    const { call, hermes, log } = place([strict])
    expect(await call({ count: 0 })).toMatchObject({ success: false, code: 'INVALID_PARAMETER' })
    expect(await call({})).toMatchObject({ success: false, code: 'MISSING_PARAMETER' })
    expect(await call({ count: 1, other: 2 })).toMatchObject({ success: false, code: 'UNKNOWN_PARAMETER' })
    expect(await call({ count: 1, result: { total: 'many' } })).toMatchObject({ success: false, code: 'INTERNAL', error: expect.stringContaining('total') as string })
    expect(await call({ count: 1, result: { total: 3 } })).toMatchObject({ success: true, data: { total: 3 } })
    await hermes[Symbol.asyncDispose]()
    expect(log()).toBe('started\n')
  })

  it('that dies fails alone: the next call starts it again, so many times', async () => {
    const { call, hermes, log } = place([WRITES])
    const results = []
    for (let index = 0; index < 5; index++) results.push(await call({ ...requests(write(`${index}.txt`)), die: 3 }))
    await hermes[Symbol.asyncDispose]()
    expect(results.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'EXTENSION_FAILED'))
    expect(results[0]).toMatchObject({ error: expect.stringContaining('ended with 3') as string, hint: expect.stringContaining('0.txt') as string })
    expect([log().match(/started/g)?.length, results[4]?.error]).toEqual([4, expect.stringContaining('not started again')])
  })

  it('is done once all that it asked for before its answer is', async () => {
    const { root, call, hermes } = place([WRITES])
    writeFileSync(join(root, 'large.bin'), Buffer.alloc(64 * 1024 * 1024, 'x'))
    const copy = { method: 'fs/copyFile', params: { sourcePath: 'large.bin', destinationPath: 'copy.bin' } }
    const done = await call({ last: [copy] })
    const isThere = existsSync(join(root, 'copy.bin'))
    await hermes[Symbol.asyncDispose]()
    expect(done).toMatchObject({ success: true })
    expect(isThere).toBe(true)
  })

  it('fails where what it had asked for before its answer is denied afterwards, and writes nothing later', async () => {
    const { root, call, hermes } = place([{ ...WRITES, access: 'exec' }], {
      policy: { verbs: { write: 'ask' } },
      approve: async () => {
        // The answer of the verb has come with the request: it is taken a turn later.
        for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
        return 'deny' as const
      },
    })
    const denied = await call({ last: [write('denied.txt')] })
    await hermes[Symbol.asyncDispose]()
    expect(denied).toMatchObject({ success: false, code: 'APPROVAL_DENIED' })
    expect(existsSync(join(root, 'denied.txt'))).toBe(false)
  })

  it('that is cancelled, or takes too long, can do nothing any more', async () => {
    const { root, hermes, log } = place([WRITES], { limits: { maxCommandTimeoutMs: 300, commandTimeoutMs: 300 } })
    const wait = { id: '1', name: 'do_it', arguments: JSON.stringify({ ...requests(write('early.txt')), wait: true }) }
    const late = await hermes.call([wait])
    const cancel = new AbortController()
    const running = hermes.call([wait], { signal: cancel.signal, onEvent: () => undefined })
    await expect.poll(() => existsSync(join(root, 'early.txt'))).toBe(true)
    cancel.abort()
    const stopped = await running
    await expect.poll(() => log().match(/executionId/g)?.length).toBe(2)
    await hermes[Symbol.asyncDispose]()
    expect(late.results[0]).toMatchObject({ success: false, code: 'TIMEOUT', hint: expect.stringContaining('early.txt') as string })
    expect(stopped.results[0]).toMatchObject({ success: false, code: 'CANCELLED' })
    expect(existsSync(join(root, 'late.txt'))).toBe(false)
  })

  it('is called in many calls at once, each with files of its own', async () => {
    const { root, hermes, log } = place([WRITES])
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => {
      const args = requests(write(`${index}.txt`), { method: 'fs/readFile', params: { path: `${index}.txt` } })
      return hermes.verbExecutor().run({ verb: 'do_it', arguments: { ...args } })
    }))
    await hermes[Symbol.asyncDispose]()
    expect(all.map((one) => one.succeeded)).toEqual(all.map(() => true))
    expect(Array.from({ length: 20 }, (_, index) => readFileSync(join(root, `${index}.txt`), 'utf8'))).toEqual(Array.from({ length: 20 }, (_, index) => `${index}.txt`))
    expect(log()).toBe('started\n')
  })

  it('has no say where its name is taken, and is unknown where the config does not name it', async () => {
    const { hermes, root } = place([WRITES, { ...WRITES, name: 'file_write' }, { ...WRITES, name: 'other' }], { names: ['FILE_WRITE', 'do_it', 'fs_readFile', 'absent'] })
    const run = await hermes.call([
      { id: '1', name: 'file_write', arguments: JSON.stringify({ path: 'a.txt', content: 'mine' }) },
      { id: '2', name: 'other', arguments: '{}' }, { id: '3', name: 'absent', arguments: '{}' },
    ])
    await hermes[Symbol.asyncDispose]()
    expect(run.results.map(({ success, code }) => [success, code])).toEqual([[true, undefined], [false, 'UNKNOWN_ACTION'], [false, 'EXTENSION_FAILED']])
    expect(run.results[2]).toMatchObject({ error: expect.stringContaining('brings no such verb') as string, hint: expect.stringContaining('do_it') as string })
    expect([run.warnings, readFileSync(join(root, 'a.txt'), 'utf8')]).toEqual([[
      'extension asking: its verb FILE_WRITE is left out, since there is another of that name',
      'extension asking: its verb fs_readFile is left out, since there is another of that name',
    ], 'mine'])
  })

  it.each([
    ['env', ['HERMES_TEST_NO_SUCH_KEY']], ['keys', ['HERMES_TEST_NO_SUCH_KEY']], ['programs', ['no-such-program-here']], ['servers', ['no-such-server']],
  ])('is offered where what it needs of %s is there, and else says what is missing', async (kind, names) => {
    const { hermes, call } = place([{ ...WRITES, requires: { [kind]: names } }, { ...WRITES, name: 'other', requires: { env: ['PATH'], programs: ['node'] } }])
    const offered = (await hermes.verbs()).map(({ name }) => name)
    expect([offered.includes('do_it'), offered.includes('other')]).toEqual([false, true])
    expect(await call({})).toMatchObject({ success: false, code: 'NOT_INSTALLED', error: expect.stringContaining(names[0] ?? '') as string })
    await hermes[Symbol.asyncDispose]()
  })

  it('starts for nothing but its own calls and for who lists verbs', async () => {
    const { hermes, log } = place([WRITES])
    await hermes.call([{ id: '1', name: 'file_write', arguments: JSON.stringify({ path: 'a.txt', content: '' }) }])
    expect(log()).toBe('')
    expect(await hermes.verbs()).toContainEqual(expect.objectContaining({ name: 'do_it', origin: 'extension asking', type: 'write' }))
    await hermes[Symbol.asyncDispose]()
    expect(log()).toBe('started\n')
  })

  it('whose extension does not start costs no other block, whatever stands beside it, and is not tried for ever', async () => {
    const { root } = place([WRITES])
    const starts = join(root, '..', 'starts')
    const command = ['-e', `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'x'); process.exit(1)`]
    const hermes = new Hermes({
      root, gitCommit: false, relativePaths: true, durable: true,
      policy: { extensions: { broken: { command: process.execPath, args: command, verbs: ['broken_verb'] } } } as never,
    })
    const names = ['broken_verb', 'broken_verb', 'broken_verbs', 'file_write', 'nothing_like_it', 'broken_verb', 'broken_verb', 'broken_verb']
    const { results } = await hermes.call(names.map((name, index) => (
      { id: String(index), name, arguments: JSON.stringify(name === 'file_write' ? { path: 'a.txt', content: '' } : {}) }
    )))
    await hermes[Symbol.asyncDispose]()
    expect(results.map(({ code }) => code)).toEqual([
      'EXTENSION_FAILED', 'EXTENSION_FAILED', 'UNKNOWN_ACTION', undefined, 'UNKNOWN_ACTION', 'EXTENSION_FAILED', 'EXTENSION_FAILED', 'EXTENSION_FAILED',
    ])
    expect(results[2]?.hint).toContain('broken_verb')
    expect(readFileSync(starts, 'utf8')).toBe('xxxx')
  })

  it('is not there for a registry that its caller chose, but where he asks for it', async () => {
    const [chosen, asked] = [{ registry: new VerbRegistry(VERBS) }, { registry: new VerbRegistry(VERBS), ownVerbs: true }]
    const outcomes = []
    for (const options of [chosen, asked]) {
      const { call, hermes } = place([WRITES], options)
      outcomes.push((await call({})).code)
      await hermes[Symbol.asyncDispose]()
    }
    expect(outcomes).toEqual(['UNKNOWN_ACTION', undefined])
  })
})
