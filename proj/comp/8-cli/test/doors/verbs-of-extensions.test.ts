import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { shamBlock } from '../../../1-registry/src/index.js'
import { readAnswer, say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'

/** Plain Python, which uses nothing of hermes. */
const decisions = fileURLToPath(new URL('../../../../../examples/extensions/decisions.py', import.meta.url))
const cli = useCli()
const server = useModelServer()
const INDEX = '# Decisions\n\n- [use-sqlite](decisions/use-sqlite.md)\n'
const answer = shamBlock('abc', 'record_decision', { name: 'use-sqlite', text: 'One file.\nNo server.' })

/** A user whose config names the example's verbs. */
function place(config = '') {
  const cwd = tempDir()
  const project = join(cwd, 'project')
  mkdirSync(join(cwd, '.hermes'))
  mkdirSync(project)
  writeFileSync(join(cwd, '.hermes', 'config.yaml'), [
    'extensions:', '  decisions:', '    command: python3', `    args: ${JSON.stringify([decisions])}`,
    '    verbs: [record_decision, list_decisions]', config, '',
  ].join('\n'))
  writeFileSync(join(cwd, 'answer.md'), answer)
  const env = { HOME: cwd }
  return {
    cwd, env, project, run: (args: readonly string[], input = '') => cli.run(args, { cwd, env, input }),
    text: (name: string) => readFileSync(join(project, name), 'utf8'),
  }
}

const FLAGS = ['--root', 'project', '--no-git']

/** A client of `hermes mcp`, once it has said hello. */
async function mcp(cwd: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [cli.path, 'mcp', ...FLAGS], { cwd, env: { ...plainEnvironment(), ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  const ask = async (method: string, params: object): Promise<unknown> => {
    id++
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('it ended')
      const message = JSON.parse(value) as { id?: number; result?: unknown; error?: unknown }
      if (message.id === id) return message.result ?? message.error
    }
  }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  return { ask, end: () => child.stdin.end() }
}

describe.skipIf(process.platform === 'win32')('verbs of an extension in Python', () => {
  it('apply: the policy denies one of two files, undo puts the other back', async () => {
    const { project, run, text } = place()
    writeFileSync(join(project, 'hermes.yaml'), 'deny: [decisions/**]\n')
    writeFileSync(join(project, 'DECISIONS.md'), '# Decisions\n\n')
    const { stdout, exitCode } = await run(['apply', 'answer.md', ...FLAGS, '--json'])
    const { results: [result] } = JSON.parse(stdout) as { results: { code: string; error: string; hint: string }[] }
    expect([exitCode, result?.code, result?.error]).toEqual([1, 'POLICY_DENIED', expect.stringContaining('decisions/use-sqlite.md')])
    expect(result?.hint).toContain('Before that it had changed')
    expect([text('DECISIONS.md'), existsSync(join(project, 'decisions'))]).toEqual([INDEX, false])
    const undone = await run(['undo', '--root', 'project'])
    expect([undone.exitCode, text('DECISIONS.md')]).toEqual([0, '# Decisions\n\n'])
  })

  it('apply: what it wrote is one run in the log, shown beforehand, and undone as a whole', async () => {
    const { project, run, text } = place()
    const dry = await run(['apply', 'answer.md', ...FLAGS, '--dry-run'])
    expect(dry.stdout).toContain('+- [use-sqlite](decisions/use-sqlite.md)')
    expect([dry.exitCode, existsSync(join(project, 'DECISIONS.md'))]).toEqual([0, false])
    expect((await run(['apply', 'answer.md', ...FLAGS])).exitCode).toBe(0)
    expect([text('DECISIONS.md'), text('decisions/use-sqlite.md')]).toEqual([INDEX, '# use-sqlite\n\nOne file.\nNo server.\n'])
    const log = await run(['log', '--root', 'project'])
    expect(log.stdout).toContain('record_decision')
    expect(log.stdout).toContain('decisions/use-sqlite.md')
    expect((await run(['undo', '--root', 'project'])).exitCode).toBe(0)
    expect([existsSync(join(project, 'DECISIONS.md')), existsSync(join(project, 'decisions'))]).toEqual([false, false])
  })

  it('prompt teaches them, in each format; tools list, show, validate and doctor know them', async () => {
    const { run } = place()
    for (const format of ['sham', 'envelope', 'tool_call']) {
      const { stdout, stderr } = await run(['prompt', '--root', 'project', '--format', format])
      expect(stdout).toContain('Record a decision of the project')
      expect(stdout).toContain('list_decisions')
      expect(stderr).not.toContain('extension')
    }
    expect((await run(['tools', 'list'])).stdout).toMatch(/record_decision +Record a decision/)
    expect(JSON.parse((await run(['tools', 'show', 'record_decision', '--json'])).stdout)).toMatchObject({ name: 'record_decision' })
    expect((await run(['tools', 'list', '--toolset', 'own', '--format', 'idl'])).stdout).toContain('type RecordDecisionResult\n{\n  files: any[]')
    expect(await run(['tools', 'validate', 'record_decision'], '{"name": "a"}')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('text') as string })
    expect(JSON.parse((await run(['tools', 'doctor', '--toolset', 'own', '--json'])).stdout)).toMatchObject([{ toolset: 'own', status: 'available', verbs: 2 }])
  })

  it('exec, interactive and replay call them', async () => {
    const { run, text, project } = place()
    const exec = await run(['exec', ...FLAGS], '{"verb": "record_decision", "arguments": {"name": "use-sqlite", "text": "x"}}')
    expect([exec.exitCode, JSON.parse(exec.stdout)]).toEqual([0, { succeeded: true, files: ['DECISIONS.md', 'decisions/use-sqlite.md'] }])
    const spoken = await run(['interactive', ...FLAGS, '--json'], `${shamBlock('xyz', 'list_decisions', {})}\n\n`)
    expect([spoken.exitCode, JSON.parse(spoken.stdout)]).toMatchObject([0, { results: [{ data: { decisions: ['use-sqlite'] } }] }])
    const recorded = await run(['apply', 'answer.md', ...FLAGS, '--record', 'record.jsonl'])
    expect(recorded.exitCode).toBe(0)
    expect(existsSync(join(project, 'decisions'))).toBe(true)
    expect(text('DECISIONS.md')).toBe(`${INDEX}- [use-sqlite](decisions/use-sqlite.md)\n`)
  })

  it('mcp lists and calls them', async () => {
    const { cwd, env, text } = place()
    const { ask, end } = await mcp(cwd, env)
    const { tools } = await ask('tools/list', {}) as { tools: { name: string; inputSchema: object }[] }
    expect(tools).toContainEqual(expect.objectContaining({ name: 'record_decision' }))
    const called = await ask('tools/call', { name: 'record_decision', arguments: { name: 'use-sqlite', text: 'x' } })
    end()
    expect(called).toMatchObject({ structuredContent: { files: ['DECISIONS.md', 'decisions/use-sqlite.md'] } })
    expect(text('DECISIONS.md')).toBe(INDEX)
  })

  it('mcp calls them for a client that knows the list from before, and says so where the program fails', async () => {
    const { cwd, env, text } = place()
    const { ask, end } = await mcp(cwd, env)
    const called = await ask('tools/call', { name: 'record_decision', arguments: { name: 'use-sqlite', text: 'x' } })
    end()
    expect(called).toMatchObject({ structuredContent: { files: ['DECISIONS.md', 'decisions/use-sqlite.md'] } })
    expect(text('DECISIONS.md')).toBe(INDEX)
    writeFileSync(join(cwd, '.hermes', 'config.yaml'), 'extensions: {gone: {command: no-such-program-here, verbs: [gone_verb]}}\n')
    const broken = await mcp(cwd, env)
    const failed = await broken.ask('tools/call', { name: 'gone_verb', arguments: {} })
    broken.end()
    expect(failed).toMatchObject({ isError: true, _meta: { 'hermes/error': { code: 'EXTENSION_FAILED' } } })
  })

  it('chat offers them to a model that calls functions, and to one that writes blocks', async () => {
    for (const style of ['native', 'blocks']) {
      const { cwd, env, text } = place()
      const calls = readAnswer('answer', '@call record_decision {"name": "use-sqlite", "text": "x"}')
      server.play(style, [style === 'native' ? calls : say(answer), say('Done.')])
      const { exitCode } = await cli.run([
        'chat', '-q', 'record it', '--style', style, ...FLAGS, '--model', style,
      ], { cwd, env: { ...env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' } })
      const { messages: [system], tools } = server.requests(style)[0] as { messages: { content: string }[]; tools?: object[] }
      // Told of once.
      expect(JSON.stringify([system, tools]).split('Record a decision of the project').length).toBe(2)
      expect([exitCode, text('DECISIONS.md')]).toEqual([0, INDEX])
    }
  })

  it('where the program fails, others go on: list and prompt say why on standard error', async () => {
    const { cwd, run } = place()
    writeFileSync(join(cwd, '.hermes', 'config.yaml'), 'extensions: {gone: {command: no-such-program-here, verbs: [gone_verb]}}\n')
    const listed = await run(['tools', 'list'])
    expect([listed.exitCode, listed.stdout.includes('file_write'), listed.stderr]).toEqual([0, true, expect.stringContaining("Extension 'gone' was not started: there is no program")])
    const prompt = await run(['prompt', '--root', 'project'])
    expect([prompt.exitCode, prompt.stdout.includes('file_write'), prompt.stderr]).toEqual([0, true, expect.stringContaining("Extension 'gone'")])
    writeFileSync(join(cwd, 'answer.md'), shamBlock('abc', 'file_write', { path: join(cwd, 'project', 'a.txt'), content: 'x' }) + '\n' + shamBlock('def', 'gone_verb', {}))
    const applied = await run(['apply', 'answer.md', ...FLAGS, '--json'])
    const { results } = JSON.parse(applied.stdout) as { results: { success: boolean; code?: string }[] }
    expect(results.map(({ success, code }) => [success, code])).toEqual([[true, undefined], [false, 'EXTENSION_FAILED']])
  })

  it("a project's own file brings none", async () => {
    const { cwd, run, project } = place()
    writeFileSync(join(cwd, '.hermes', 'config.yaml'), '')
    writeFileSync(join(project, 'hermes.yaml'), `extensions: {decisions: {command: python3, args: ["${decisions}"], verbs: [record_decision]}}\n`)
    const { exitCode, stdout, stderr } = await run(['apply', 'answer.md', ...FLAGS])
    expect([exitCode, `${stdout}${stderr}`]).toEqual([2, expect.stringContaining("extensions is the user's to set")])
  })
})
