import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineVerb, type AnyVerb } from '../../../0-contracts/src/index.js'
import { tokensAtMost } from '../../../1-reports/src/index.js'
import { Hermes, type RunResult } from '../../../5-executor/src/executor/index.js'
import {
  aiSdkTools, anthropicTools, chatTools, responsesTools, runChatCalls, type CallOptions, type ToolAnswer,
} from '../../src/adapters/index.js'
import { stage } from './play.js'

afterEach(() => vi.unstubAllEnvs())

async function run(hermes: Hermes, calls: readonly [name: string, args: unknown][], options: CallOptions = {}): Promise<ToolAnswer[]> {
  const tool_calls = calls.map(([name, args], index) => (
    { id: `c${index}`, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } }
  ))
  const messages = await runChatCalls(hermes, { message: { tool_calls } }, options)
  expect(messages.map((each) => each.tool_call_id)).toEqual(tool_calls.map(({ id }) => id))
  return messages.map(({ content }) => JSON.parse(content) as ToolAnswer)
}

function verb(name: string, handler: () => unknown): AnyVerb {
  return defineVerb({
    name, vocabulary: 'clada', description: 'For tests.', category: 'test', version: '1.0.0', type: 'read', accessibility: ['llm'],
    constraints: [], primary: undefined, args: v.strictObject({}), result: v.unknown(), examples: [], handler,
  })
}

it('the program is told of the run, of which the model is told its part', async () => {
  const { hermes } = stage({ gitCommit: false })
  const runs: RunResult[] = []
  const onResult = (result: RunResult): void => void runs.push(result)
  await run(hermes, [['write_file', { path: 'told.txt', content: 'told' }], ['read_file', { path: 'none' }]], { onResult })
  expect(runs).toMatchObject([{
    runId: expect.any(String), results: [{ action: 'write_file', startLine: 1, success: true }, { startLine: 2, code: 'ENOENT' }],
  }])
  const { 'list_directory': list } = await aiSdkTools(hermes, { onResult })
  await list!.execute({ path: '.' }, { toolCallId: 'a' })
  expect(runs[1]).toMatchObject({ success: true, totalBlocks: 1 })
  await run(hermes, [], { onResult })
  expect(runs).toHaveLength(2)
})

describe('what a model writes is never an exception', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  it.each([
    ['no JSON', 'read_file', 'path: x', 'INVALID_TOOL_CALL'],
    ['cut-off JSON', 'read_file', '{"path": "x', 'INVALID_TOOL_CALL'],
    ['a list', 'read_file', '["x"]', 'INVALID_TOOL_CALL'],
    ['a key twice', 'read_file', '{"path": "x", "path": "y"}', 'INVALID_TOOL_CALL'],
    ['an integer that no number holds', 'read_file', '{"path": "x", "end_line": 9007199254740993}', 'INVALID_TOOL_CALL'],
    ['objects a million deep', 'read_file', deep(1_000_000), 'INVALID_TOOL_CALL'],
    ['keys of every object', 'read_file', '{"path": "x", "__proto__": {"a": 1}}', 'UNKNOWN_PARAMETER'],
    ['nothing', 'read_file', '', 'MISSING_PARAMETER'],
    ['no name', '', '{}', 'INVALID_TOOL_CALL'],
    ['a name of every object', 'constructor', '{}', 'UNKNOWN_ACTION'],
    ['a verb for users', 'undo', '{}', 'POLICY_DENIED'],
    ['a path outside', 'read_file', '{"path": "/etc/passwd"}', 'POLICY_DENIED'],
  ])('%s', async (_, name, args, code) => {
    const { hermes } = stage({ gitCommit: false })
    const answers = await run(hermes, [['list_directory', { path: '.' }], [name, args], ['list_directory', { path: '.' }]])
    expect(answers).toMatchObject([{ success: true }, { success: false, code }, { success: true }])
  })

  it('values that have no text', async () => {
    const { hermes } = stage({ gitCommit: false })
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    const { 'read_file': read } = await aiSdkTools(hermes)
    for (const input of [cycle, { path: 1n }, () => 1, 'x', [], JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000))]) {
      expect(await read!.execute(input, { toolCallId: 'a' })).toMatchObject({ success: false, code: 'INVALID_TOOL_CALL' })
    }
  })

  it('calls of one id are answered each', async () => {
    const { hermes } = stage({ gitCommit: false })
    const twice = { id: 'a', function: { name: 'list_directory', arguments: '{"path": "."}' } }
    expect(await runChatCalls(hermes, { message: { tool_calls: [twice, twice] } })).toHaveLength(2)
  })
})

describe('an answer', () => {
  it('is bounded, and says so', async () => {
    const { hermes, root } = stage({ gitCommit: false })
    const text = `${'€'.repeat(30)}\n`.repeat(1900)
    writeFileSync(join(root, 'long.txt'), `first line\n${text}last line\n`)
    for (let number = 0; number < 400; number++) writeFileSync(join(root, `file-${number}.txt`), '')
    const [read, list] = await run(hermes, [['read_file', { path: 'long.txt' }], ['list_directory', { path: '.' }]], { maxDataLength: 5000 })
    for (const answer of [read, list]) {
      expect(JSON.stringify(answer?.data).length).toBeLessThanOrEqual(5000)
      expect(JSON.stringify(answer?.data).length).toBeGreaterThan(1000)
      expect(answer?.hint).toContain('shown in part')
    }
    expect((read?.data as { content?: string } | undefined)?.content).toMatch(/^first line\n[^]*\n… \d+ characters left out …\n[^]*\nlast line\n$/)
    expect(JSON.stringify(list?.data)).toMatch(/… \d+ more left out …/)
    // Unasked it has the bound of all front ends: the text of a call, with the call that reads on.
    const [long] = await run(hermes, [['read_file', { path: 'long.txt' }]], { callTokens: 2000 })
    expect(tokensAtMost(JSON.stringify(long?.data))).toBeLessThanOrEqual(2000)
    expect(long?.data).toMatch(/^first line\n€+\n[^]*read_file \{"path": ?"long.txt", ?"start_line": ?\d+[^]*last line$/)
    expect(long?.hint).toContain('shown in part')
    const bounded = new Hermes({ root, policy: { reply: { call_tokens: 600 } }, gitCommit: false })
    const [short] = await run(bounded, [['read_file', { path: 'long.txt' }]])
    expect(tokensAtMost(JSON.stringify(short?.data))).toBeLessThanOrEqual(600)
  })

  it('names the file that has all of it, where no call can read on', async () => {
    const { hermes, root } = stage({ gitCommit: false })
    for (let number = 0; number < 400; number++) writeFileSync(join(root, `file-${number}.txt`), '')
    const [list] = await run(hermes, [['fs.listDir', { path: '.' }]], { callTokens: 1000 })
    const [kept = ''] = /[^\s"]*\.hermes\/runs\/[^\s"]*/.exec(String(list?.data)) ?? []
    const [again] = await run(hermes, [['fs.readFile', { path: kept }]])
    expect((again?.data as { content?: string } | undefined)?.content).toContain('- name: file-399.txt\n    isDirectory: false\n')
    const dry = new Hermes({ root, dryRun: true, policy: false })
    const [dryList] = await run(dry, [['fs.listDir', { path: '.' }]], { callTokens: 1000 })
    expect(String(dryList?.data)).not.toContain('.hermes/runs')
  })

  it('is whole where it fits', async () => {
    const { hermes, root } = stage({ gitCommit: false })
    const content = 'words '.repeat(6_000)
    writeFileSync(join(root, 'long.txt'), content)
    expect(await run(hermes, [['read_file', { path: 'long.txt' }]])).toMatchObject([{ data: { content } }])
  })

  it('has no secrets', async () => {
    vi.stubEnv('TEST_API_TOKEN', 'geheim-4711-xyz')
    const { hermes, root } = stage({ gitCommit: false })
    writeFileSync(join(root, 'leak.txt'), 'token geheim-4711-xyz')
    const answers = await run(hermes, [
      ['read_file', { path: 'leak.txt' }], ['read_file', { path: 'geheim-4711-xyz' }], ['geheim-4711-xyz', {}], ['read_file', '{"a": "geheim-4711-xyz", "a": 1}'],
    ])
    expect(JSON.stringify(answers)).not.toContain('geheim-4711')
    expect(answers[0]).toMatchObject({ data: { content: 'token [masked TEST_API_TOKEN]' } })
  })

  it('of a verb whose result is no JSON is a failure, and an answer all the same', async () => {
    const { hermes } = stage({ gitCommit: false })
    hermes.registry.register(verb('count_all', () => ({ count: 1n }))).register(verb('fail_all', () => { throw new Error('inside') }))
    expect(await run(hermes, [['count_all', {}], ['fail_all', {}]])).toMatchObject([
      { success: false, code: 'INTERNAL', hint: expect.stringContaining('It has run.') }, { success: false, code: 'INTERNAL' },
    ])
  })
})

describe('the run of a response', () => {
  it('asks the user, and goes on where the user says no', async () => {
    const { hermes, tree } = stage({ approve: () => 'deny' })
    const answers = await run(hermes, [['delete_file', { path: 'old.txt' }], ['write_file', { path: 'new.txt', content: 'n' }]])
    expect(answers).toMatchObject([{ success: false, code: 'APPROVAL_DENIED' }, { success: true }])
    expect(tree()).toEqual({ 'old.txt': 'old\n', 'new.txt': 'n' })
  })

  it('is cancelled by its own signal, and the session goes on', async () => {
    const { hermes } = stage({ sandbox: 'none', gitCommit: false })
    const controller = new AbortController()
    hermes.registry.register(verb('cancel_now', () => controller.abort()))
    const sleep = ['execute_command', { command: 'sleep 60' }] as [string, unknown]
    const answers = await run(hermes, [['cancel_now', {}], sleep], { signal: controller.signal })
    expect(answers).toMatchObject([{ success: true }, { success: false, code: 'CANCELLED' }])
    expect(await run(hermes, [['list_directory', { path: '.' }]])).toMatchObject([{ success: true }])
  })

  it('waits for the one before it', async () => {
    const { hermes, tree } = stage()
    let running = 0
    hermes.registry.register(verb('be_slow', async () => {
      running++
      await new Promise((resolve) => setTimeout(resolve, 20))
      return running--
    }))
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => run(hermes, [['write_file', { path: name, content: name }], ['be_slow', {}]])))
    expect(answers).toEqual(answers.map(() => [expect.objectContaining({ success: true }), { success: true, data: 1 }]))
    expect(tree()).toEqual({ 'old.txt': 'old\n', a: 'a', b: 'b', c: 'c' })
  })

  it('that is all or nothing says what was put back', async () => {
    const { hermes, tree } = stage({ atomic: true })
    const answers = await run(hermes, [['write_file', { path: 'a', content: 'a' }], ['read_file', { path: 'absent' }]])
    expect(answers).toMatchObject([{ success: false, code: 'CANCELLED', error: expect.stringContaining('Put back') }, { code: 'ENOENT' }])
    expect(tree()).toEqual({ 'old.txt': 'old\n' })
  })

  it('whose commit is refused says so with the last answer', async () => {
    const { hermes, root } = stage({ sandbox: 'none' })
    mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
    writeFileSync(join(root, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\necho not today >&2\nexit 1\n')
    chmodSync(join(root, '.git', 'hooks', 'pre-commit'), 0o755)
    const [first, last] = await run(hermes, [['write_file', { path: 'a', content: 'a' }], ['write_file', { path: 'b', content: 'b' }]])
    expect(first?.hint).toBeUndefined()
    expect(last?.hint).toContain('not today')
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: root, encoding: 'utf8' })).toBe('start\n')
  })
})

describe('the tools', () => {
  const LONG = `mcp.server.${'long-'.repeat(15)}name`

  it('are by default the core tools and your own verbs', async () => {
    const { hermes } = stage({ gitCommit: false })
    hermes.registry.register(verb('count_all', () => 1))
    const names = (await chatTools(hermes)).map((tool) => tool.function.name)
    expect(names).toEqual(expect.arrayContaining(['read_file', 'execute_command', 'count_all']))
    // Nobody is there to answer them; and other vocabularies have the same again.
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:ask_user|confirm_action|file_write|fs_.*|undo)$/)]))
    expect((await responsesTools(hermes)).map(({ name }) => name)).toEqual(names)
    expect((await anthropicTools(hermes)).map(({ name }) => name)).toEqual(names)
    expect(Object.keys(await aiSdkTools(hermes))).toEqual(names)
  })

  it.each([
    ['toolsets of the session', { toolsets: ['git'] }, {}, ['git_status', 'git_diff', 'git_log', 'git_commit']],
    ['toolsets of its own', {}, { toolsets: ['read-only'], verbs: ['write_file'] }, ['read_file', 'write_file', 'fs_readFile']],
    ['all that the session allows, where no core tool is', { toolsets: ['hermes'] }, {}, ['fs_readFile', 'fs_writeFile']],
    ['somebody to ask', { ui: { ask: () => 'x', confirm: () => true } }, { toolsets: ['core'] }, ['ask_user', 'confirm_action']],
  ])('can be chosen: %s', async (_, session, offer, some) => {
    const { hermes } = stage({ gitCommit: false, ...session } as never)
    expect((await chatTools(hermes, offer)).map((tool) => tool.function.name)).toEqual(expect.arrayContaining(some))
  })

  it('are none that the policy switches off, or an atomic run refuses', async () => {
    const { hermes } = stage({ gitCommit: false, policy: { verbs: { exec: 'off' } } as never })
    const atomic = stage({ atomic: true }).hermes
    for (const session of [hermes, atomic]) {
      const names = (await chatTools(session)).map((tool) => tool.function.name)
      expect(names).toContain('write_file')
      expect(names).not.toContain('execute_command')
    }
  })

  it('have names that lead back, however long those of their verbs are', async () => {
    const { hermes } = stage({ gitCommit: false })
    hermes.registry.register(verb(LONG, () => 'one')).register(verb(`${LONG}2`, () => 'two'))
    const names = (await chatTools(hermes, { verbs: [LONG, `${LONG}2`, 'fs.listDir'] })).map((tool) => tool.function.name)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(new Set(names).size).toBe(3)
    const byName = names.map((name): [string, unknown] => [name, name === 'fs_listDir' ? { path: '.' } : {}])
    expect((await run(hermes, byName)).map(({ success, data }) => (success && typeof data === 'string' ? data : success)).sort()).toEqual([true, 'one', 'two'].sort())
  })

  it.each([
    ['an unknown verb', { verbs: ['read_fil'] }, 'read_file'],
    ['a verb that is not allowed', { verbs: ['fs.deleteDirectory'] }, 'toolsets'],
    ['an unknown toolset', { toolsets: ['read'] }, 'read-only'],
  ])('refuse %s', async (_, offer, hint) => {
    const { hermes } = stage({ gitCommit: false, toolsets: ['read-only'] })
    await expect(chatTools(hermes, offer)).rejects.toMatchObject({ code: 'INVALID_OPTION', hint: expect.stringContaining(hint) })
  })

  it('refuse a limit that nothing would fit', async () => {
    const { hermes } = stage({ gitCommit: false })
    await expect(runChatCalls(hermes, { message: {} }, { maxDataLength: 10 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(runChatCalls(hermes, { message: {} }, { callTokens: 10 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(aiSdkTools(hermes, { maxDataLength: 10 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
