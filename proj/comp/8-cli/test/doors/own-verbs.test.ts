import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { shamBlock } from '../../../1-registry/src/index.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'

const cli = useCli()
const server = useModelServer()

/** As a user writes one, with nothing beside it: what it imports hermes gives. */
const verb = (name: string, more = ''): string => `
import { absolutePath, defineVerb, HermesError } from 'hermes'
import * as v from 'valibot'

export default defineVerb({
  name: '${name}', vocabulary: 'clada', description: 'Count the lines of a file, and note them.', category: 'text',
  type: 'write', primary: 'path',
  args: v.strictObject({ path: absolutePath('File to count.') }),
  result: v.strictObject({ lines: v.number() }),
  examples: [{ path: '/w/a.txt' }],
  handler({ path }, { gate, files, limits }) {
    const text = new TextDecoder().decode(files.readBytes(gate.approve(path, 'read'), limits.maxFileBytes))
    if (text === '') throw new HermesError('NOT_TEXT', '${name}: the file is empty', { hint: 'Name a file with text.' })
    const lines = text.split('\\n').length - 1
    files.write(gate.approve(path + '.lines', 'write'), String(lines))
    return { lines }
  },
  ${more}
})
`

/** A home whose config names modules, and a project with a file of two lines. */
function place(modules: Readonly<Record<string, string>> = { 'count.js': verb('count_lines') }, named = Object.keys(modules)) {
  const cwd = tempDir()
  for (const directory of ['.hermes/verbs', 'project']) mkdirSync(join(cwd, directory), { recursive: true })
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(cwd, '.hermes', 'verbs', name), text)
  writeFileSync(join(cwd, '.hermes', 'config.yaml'), `verbs: [${named.map((name) => `~/.hermes/verbs/${name}`).join(', ')}]\n`)
  writeFileSync(join(cwd, 'project', 'a.txt'), 'a\nb\n')
  writeFileSync(join(cwd, 'project', 'empty.txt'), '')
  return { cwd, env: { HOME: cwd } }
}

const FLAGS = ['--root', 'project', '--root-alias', '/w', '--no-git']
const block = (path = '/w/a.txt', name = 'count_lines'): string => shamBlock('one', name, { path })
const isNoted = (cwd: string): boolean => existsSync(join(cwd, 'project', 'a.txt.lines'))
const noted = (cwd: string): string => readFileSync(join(cwd, 'project', 'a.txt.lines'), 'utf8')

/** Messages, one a line, to a server that is asked on standard input. */
async function ask(args: readonly string[], { cwd, env }: ReturnType<typeof place>, messages: readonly object[]): Promise<unknown[]> {
  const child = spawn(process.execPath, [cli.path, ...args], {
    cwd, env: { ...plainEnvironment(), ...env }, stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const results: unknown[] = []
  for (const message of messages) {
    const id = results.length + 1
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('no answer')
      const answer = JSON.parse(String(value)) as { id?: number; result?: unknown }
      if (answer.id !== id) continue
      results.push(answer.result)
      break
    }
    if ('method' in message && message.method === 'initialize') {
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    }
  }
  child.stdin.end()
  await once(child, 'close')
  return results
}

describe.skipIf(process.platform === 'win32')('verbs of the user\'s config', () => {
  it('apply, dry and not; its errors are those of hermes, and undo takes back what it wrote', async () => {
    const { cwd, env } = place()
    writeFileSync(join(cwd, 'answer.md'), `${block()}\n\n${block('/w/empty.txt').replaceAll('one', 'two')}`)
    const dry = await cli.run(['apply', 'answer.md', ...FLAGS, '--json', '--dry-run'], { cwd, env })
    expect(JSON.parse(dry.stdout)).toMatchObject({ results: [{ success: true, data: { lines: 2 } }, { success: false }] })
    expect(isNoted(cwd)).toBe(false)
    const { stdout, stderr } = await cli.run(['apply', 'answer.md', ...FLAGS, '--json'], { cwd, env })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ results: [
      { action: 'count_lines', success: true, data: { lines: 2 } },
      { success: false, code: 'NOT_TEXT', error: 'count_lines: the file is empty', hint: 'Name a file with text.' },
    ] })
    expect(noted(cwd)).toBe('2')
    expect(await cli.run(['undo', '--root', 'project'], { cwd, env })).toMatchObject({ exitCode: 0 })
    expect(isNoted(cwd)).toBe(false)
  })

  it('exec, interactive, watch, replay', async () => {
    const { cwd, env } = place()
    const exec = await cli.run(['exec', '-', ...FLAGS], {
      cwd, env, input: JSON.stringify({ verb: 'count_lines', arguments: { path: '/w/a.txt' } }),
    })
    expect(JSON.parse(exec.stdout)).toMatchObject({ succeeded: true, lines: 2 })
    const session = await cli.run(['interactive', ...FLAGS, '--json'], { cwd, env, input: `${block()}\n\n` })
    expect(JSON.parse(session.stdout)).toMatchObject({ success: true })
    mkdirSync(join(cwd, 'inbox'))
    writeFileSync(join(cwd, 'inbox', 'one.md'), block())
    const watch = await cli.run(['watch', 'inbox', ...FLAGS, '--existing', '--once', '--json'], { cwd, env })
    expect(JSON.parse(watch.stdout)).toMatchObject({ result: { success: true } })
    writeFileSync(join(cwd, 'answer.md'), block())
    await cli.run(['apply', 'answer.md', ...FLAGS, '--record', 'run.jsonl'], { cwd, env })
    mkdirSync(join(cwd, 'tree'))
    writeFileSync(join(cwd, 'tree', 'a.txt'), 'a\nb\n')
    for (const more of [[], ['--workers', '2']]) {
      expect(await cli.run(['replay', 'run.jsonl', '--fixture', 'tree', '--root-alias', '/w', '--no-git', ...more], { cwd, env }))
        .toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 same') })
    }
  })

  it('tools and prompt tell of it', async () => {
    const { cwd, env } = place()
    const list = await cli.run(['tools', 'list', '--category', 'text', '--json'], { cwd, env })
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'count_lines', version: '1.0.0' }])
    expect((await cli.run(['tools', 'show', 'count_lines', '--format', 'idl'], { cwd, env })).stdout).toContain('CountLines')
    for (const format of ['sham', 'envelope', 'tool_call']) {
      expect((await cli.run(['prompt', '--format', format], { cwd, env })).stdout).toContain('count_lines')
    }
    expect((await cli.run(['prompt', '--toolset', 'read-only'], { cwd, env })).stdout).not.toContain('count_lines')
  })

  it('mcp and serve', async () => {
    const home = place()
    const [, list, called] = await ask(['mcp', ...FLAGS], home, [
      { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } },
      { method: 'tools/list', params: {} },
      { method: 'tools/call', params: { name: 'count_lines', arguments: { path: '/w/a.txt' } } },
    ])
    expect((list as { tools: { name: string }[] }).tools.map(({ name }) => name)).toContain('count_lines')
    expect(called).toMatchObject({ structuredContent: { lines: 2 } })
    expect(noted(home.cwd)).toBe('2')
    const frame = (message: object): string => {
      const text = JSON.stringify({ jsonrpc: '2.0', ...message })
      return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    }
    const { stdout } = await cli.run(['serve', ...FLAGS], { ...home, input: [
      frame({ id: 1, method: 'initialize', params: { capabilities: {} } }),
      frame({ id: 2, method: 'tools/show', params: { name: 'count_lines', format: 'idl' } }),
      frame({ id: 3, method: 'verb/execute', params: { verb: 'count_lines', arguments: { path: '/w/a.txt' } } }),
      frame({ id: 4, method: 'shutdown' }), frame({ method: 'exit' }),
    ].join('') })
    expect(stdout).toContain('CountLines')
    expect(stdout).toContain('"lines":2')
  })

  it('chat in both styles, and batch: the model is offered it', async () => {
    const { cwd, env } = place()
    const settings = { ...env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' }
    server.play('blocks', [say(block('a.txt')), say('Done.')])
    const blocks = await cli.run(
      ['chat', '--model', 'blocks', '--root', 'project', '--no-git', '--style', 'blocks', '-q', 'count'], { cwd, env: settings },
    )
    expect(blocks).toMatchObject({ exitCode: 0, stdout: 'Done.\n' })
    expect(JSON.stringify(server.requests('blocks')[0])).toContain('count_lines')
    expect(noted(cwd)).toBe('2')
    server.play('native', [say('', ['count_lines', { path: 'a.txt' }]), say('Done.')])
    const native = await cli.run(
      ['chat', '--model', 'native', '--root', 'project', '--no-git', '--style', 'native', '-q', 'count'], { cwd, env: settings },
    )
    expect(native).toMatchObject({ exitCode: 0, stdout: 'Done.\n' })
    expect(server.requests('native').at(-1)?.messages.at(-1)?.content).toContain('2')
    server.improvise('b', ({ messages }) => (messages.at(-1)?.role === 'user' ? say('', ['count_lines', { path: 'none.txt' }]) : say('Done.')))
    writeFileSync(join(cwd, 'prompts.jsonl'), '{"prompt":"count"}\n')
    for (const more of [[], ['--workers', '1']]) {
      const batch = ['batch', 'prompts.jsonl', '--out', `out${more.length}`, '--model', 'b', '--no-git', ...more]
      expect(await cli.run(batch, { cwd, env: settings })).toMatchObject({ exitCode: 0 })
      const trajectories = readFileSync(join(cwd, `out${more.length}`, 'trajectories.jsonl'), 'utf8')
      expect([trajectories.includes('count_lines'), trajectories.includes('UNKNOWN_ACTION')]).toEqual([true, false])
    }
  })

  it('TypeScript, with what it imports in TypeScript, and several verbs in a module', async () => {
    const { cwd, env } = place({
      'typed.ts': `
        import { defineVerb, type VerbContext } from 'hermes'
        import * as v from 'valibot'
        import { twice, type Text } from './twice.ts'
        const verb = (name: Text) => defineVerb({
          name, vocabulary: 'clada', description: 'Says it twice.', category: 'text', type: 'read', examples: [{ text: 'a' }],
          args: v.strictObject({ text: v.string() }), result: v.strictObject({ said: v.string() }),
          handler({ text }: { text: string }, _context: VerbContext) { return { said: twice(text) } },
        })
        export const one = verb('say_one')
        export default [one, verb('say_two')]
        export const help = () => 1`,
      'twice.ts': 'export type Text = string\nexport const twice = (text: Text): Text => text + text\n',
    }, ['typed.ts'])
    const list = await cli.run(['tools', 'list', '--category', 'text', '--json'], { cwd, env })
    expect(list.stderr).toBe('')
    expect((JSON.parse(list.stdout) as { name: string }[]).map(({ name }) => name)).toEqual(['say_one', 'say_two'])
    const exec = await cli.run(['exec', '-', ...FLAGS], { cwd, env, input: '{"verb":"say_two","arguments":{"text":"ab"}}' })
    expect(JSON.parse(exec.stdout)).toMatchObject({ said: 'abab' })
  })

  it('a module with a fault is told with its file and a hint, and costs no other', async () => {
    const faults: Readonly<Record<string, [text: string, told: RegExp]>> = {
      'throws': ['throw new TypeError("not today")', /it cannot be loaded: TypeError: not today\. Thrown at .*throws\.js:1:/],
      'is-no-javascript': ['export default {{', /it cannot be loaded: SyntaxError/],
      'imports-what-is-not-there': ["import 'nothing-of-the-kind'", /Cannot find package 'nothing-of-the-kind'/],
      'exports-no-verb': ['export const a = 1', /it exports no verb\. Export what defineVerb/],
      'exports-half-a-verb': ['export default { name: "half", description: "d", category: "c", examples: [], handler() {} }', /A verb's vocabulary must be/],
      'says-nothing-of-its-verb': ['export default { name: "half", args: {}, handler() {} }', /half has no description/],
      'has-the-name-of-a-built-in-verb': [verb('file_read'), /its verb file_read is left out, since there is another of that name/],
      'has-it-as-function-calling-writes-it': [verb('fs_readFile'), /its verb fs_readFile is left out/],
    }
    const names = Object.keys(faults)
    const { cwd, env } = place({
      ...Object.fromEntries(names.map((name) => [`${name}.js`, faults[name]?.[0] ?? ''])), 'count.js': verb('count_lines'),
    })
    writeFileSync(join(cwd, 'answer.md'), block())
    const { stdout, stderr, exitCode } = await cli.run(['apply', 'answer.md', ...FLAGS, '--json'], { cwd, env })
    const { warnings, ...result } = JSON.parse(stdout) as { warnings: string[] }
    const shown = (await cli.run(['tools', 'show', 'count_lines'], { cwd, env })).stderr
    for (const name of names) {
      const [, told = /^$/] = faults[name] ?? []
      const where = `~/.hermes/config.yaml:1: ~/.hermes/verbs/${name}.js: `
      const about = warnings.filter((warning) => warning.includes(where))
      expect(about).toEqual([expect.stringMatching(told)])
      expect(shown).toMatch(told)
    }
    expect(warnings).toHaveLength(names.length)
    expect([exitCode, stderr, result]).toMatchObject([0, '', { success: true }])
    const doctor = await cli.run(['doctor', '--root', 'project', '--json'], { cwd, env })
    const findings = (JSON.parse(doctor.stdout) as { findings: { id: string; status: string; detail: string }[] }).findings
    expect(findings.filter(({ id }) => id === 'verbs').map(({ status }) => status).sort())
      .toEqual(['ok', ...names.map(() => 'problem')])
  })

  it('what a module leaves open holds no command, whose output is whole', async () => {
    const { cwd, env } = place({ 'open.js': `${verb('count_lines')}\nsetInterval(() => undefined, 1000)\n` })
    writeFileSync(join(cwd, 'answer.md'), block())
    const { stdout, stderr, exitCode } = await cli.run(['apply', 'answer.md', ...FLAGS, '--json'], { cwd, env })
    expect([exitCode, stderr, JSON.parse(stdout)]).toMatchObject([0, '', { success: true }])
    const failing = await cli.run(['apply', 'missing.md', ...FLAGS, '--json'], { cwd, env })
    expect(failing.exitCode).toBe(2)
  })

  it('no module that a run can write, or could have written, is loaded', async () => {
    const { cwd, env } = place({})
    const config = (path: string): void => writeFileSync(join(cwd, '.hermes', 'config.yaml'), `verbs: [${path}]\n`)
    writeFileSync(join(cwd, 'project', 'count.js'), verb('count_lines'))
    config('~/project/count.js')
    const list = ['tools', 'list', '--category', 'read', '--json']
    // By the root of this command; by where it works; by where a run was before.
    const asRoot = await cli.run(['prompt', '--root', 'project'], { cwd, env })
    expect(asRoot.stderr).toContain('a run could have written it: it is not loaded. It would run in hermes itself.')
    expect((await cli.run(list, { cwd: join(cwd, 'project'), env })).stderr).toContain('a run could have written it')
    mkdirSync(join(cwd, 'project', '.hermes', 'journal'), { recursive: true })
    expect((await cli.run(['tools', 'doctor'], { cwd, env })).stderr).toContain('a run could have written it')
  })

  it('a project names none', async () => {
    const { cwd, env } = place({})
    for (const text of ['verbs: [~/verbs/a.js]', 'verbs: { modules: [~/verbs/a.js] }']) {
      writeFileSync(join(cwd, 'project', 'hermes.yaml'), text)
      const { stderr, exitCode } = await cli.run(['config', 'check', '--root', 'project'], { cwd, env })
      const told = await cli.run(['apply', '-', ...FLAGS], { cwd, env, input: block() })
      expect(`${stderr}${told.stdout}${told.stderr}`).toContain("verbs.modules is the user's to set, in ~/.hermes/config.yaml")
      expect(exitCode).not.toBe(0)
    }
  })

  it('docs/writing-a-verb.md shows one that works', async () => {
    const page = readFileSync(new URL('../../../../../docs/writing-a-verb.md', import.meta.url), 'utf8')
      .split('## In every command')[1] ?? ''
    const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
    const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? []
    const { cwd, env } = place({ 'count_lines.js': code })
    writeFileSync(join(cwd, '.hermes', 'config.yaml'), yaml)
    writeFileSync(join(cwd, 'project', 'README.md'), 'a\nb\nc\n')
    const [, input = ''] = /^echo '([^']*)' \| hermes exec - --root-alias \/workspace$/m.exec(page) ?? []
    const { stdout, stderr } = await cli.run(['exec', '-', '--root-alias', '/workspace'], { cwd: join(cwd, 'project'), env, input })
    expect([stderr, JSON.parse(stdout)]).toEqual(['', { succeeded: true, lines: 3 }])
  })

  it('in a module of its own no command may reach: ~/.hermes/verbs, also where the home is the root', async () => {
    const { cwd, env } = place()
    writeFileSync(join(cwd, 'a.txt'), 'a\n')
    const plant = shamBlock('plant', 'file_write', { path: '/w/.hermes/verbs/count.js', content: 'x' })
    const { stdout, stderr } = await cli.run(['apply', '-', '--root', cwd, '--root-alias', '/w', '--no-git', '--json'], {
      cwd, env, input: `${plant}\n\n${block()}`,
    })
    expect([stderr, JSON.parse(stdout)]).toMatchObject(['', { results: [{ success: false, code: 'POLICY_DENIED' }, { success: true }] }])
    // A second start finds the journal of the first.
    expect((await cli.run(['tools', 'show', 'count_lines'], { cwd, env })).stderr).toBe('')
    expect((await cli.run(['prompt', '--root', '.hermes/verbs'], { cwd, env })).stderr).toContain('a run could have written it')
  })

  it('commands that run no verbs load none', async () => {
    const { cwd, env } = place({ 'bad.js': 'throw new Error("loaded")' })
    for (const args of [['--version'], ['help'], ['config', 'show'], ['log', '--root', 'project'], ['parse', '-']]) {
      expect((await cli.run(args, { cwd, env })).stderr).not.toContain('loaded')
    }
  })
})
