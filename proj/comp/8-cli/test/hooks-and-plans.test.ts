import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { readPlan } from '../../5-executor/src/plans/index.js'

const cli = useCli()
const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
const write = (path: string, content: string): string => call('fs.writeFile', { path, content })

/** A project with a home beside it. */
function world(files: Record<string, string> = {}) {
  const directory = tempDir()
  const [home, root] = [join(directory, 'home'), join(directory, 'project')]
  for (const path of [join(home, '.hermes'), root]) mkdirSync(path, { recursive: true })
  for (const [name, text] of Object.entries({ 'project/a.txt': 'a\n', ...files })) writeFileSync(join(directory, name), text)
  const env = { HOME: home }
  return {
    directory, root, env,
    text: (name: string): string => readFileSync(join(root, name), 'utf8'),
    has: (name: string): boolean => existsSync(join(root, name)),
    put: (name: string, text: string): void => writeFileSync(join(directory, name), text),
    run: (args: readonly string[], input?: string) => cli.run(args, { cwd: root, env, ...(input !== undefined && { input }) }),
  }
}

/** Has a server of the Model Context Protocol write a file. */
async function served(root: string, env: Record<string, string>): Promise<void> {
  const server = spawn(process.execPath, [cli.path, 'mcp', '--toolset', 'core'], { cwd: root, env: { ...process.env, ...env } })
  const say = (message: object): boolean => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } })
  say({ method: 'notifications/initialized' })
  say({ id: 2, method: 'tools/call', params: { name: 'write_file', arguments: { path: 'c.txt', content: 'x' } } })
  for await (const piece of server.stdout) if (String(piece).includes('"id":2')) break
  const ended = once(server, 'exit')
  server.kill()
  await ended
}

const USER = 'home/.hermes/config.yaml'
/** For hooks that have to start on any machine. */
const NO_SANDBOX = 'sandbox: none\n'
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('hooks at the command line', () => {
  it('are told with the blocks, and make the exit code 1', async () => {
    const { run } = world({ [USER]: `${NO_SANDBOX}hooks:\n  after:\n    - name: tests\n      run: "echo ok 1; echo not ok 2 - \\u001b[31mred; exit 1"\n` })
    const shown = await run(['apply', '-'], write('b.txt', 'x\n'))
    expect(shown.exitCode).toBe(1)
    expect(shown.stdout.replace(/\d+(\.\d+)? m?s/g, 'TIME')).toBe([
      '✓  b1   fs.writeFile        b.txt  created',
      '✗  hook  tests               echo ok 1; echo not ok 2 - \\x1b[31mred; exit 1  TIME',
      '    hook tests exited with code 1  NONZERO_EXIT',
      '    out │ ok 1',
      '    out │ not ok 2 - \\x1b[31mred',
      '',
      '1 of 1 block succeeded · 1 hook failed · TIME',
      '',
    ].join('\n'))
    const fed = await run(['apply', '-', '--feedback'], write('b.txt', 'x\n'))
    expect(fed.stdout).toBe([
      'The block succeeded, 1 hook failed.', '',
      'HOOK FAILED tests (after the blocks): echo ok 1; echo not ok 2 - \\x1b[31mred; exit 1',
      '    NONZERO_EXIT: hook tests exited with code 1', '    output:', '    | ok 1', '    | not ok 2 - \\x1b[31mred', '',
      'The blocks are done: do not repeat them. Send blocks that mend what the hooks say.', '',
    ].join('\n'))
    const none = await run(['apply', '-', '--no-hooks', '--json'], write('b.txt', 'x\n'))
    expect([none.exitCode, JSON.parse(none.stdout)]).toEqual([0, expect.not.objectContaining({ hooks: expect.anything() })])
  })

  it('of a project run neither unasked nor unheard; --yes is a yes', async () => {
    const { run, has } = world({ [USER]: NO_SANDBOX, 'project/hermes.yaml': 'hooks:\n  before:\n    - run: touch hooked\n' })
    const silent = await run(['apply', '-'], write('b.txt', 'x\n'))
    expect([silent.exitCode, has('hooked'), has('b.txt')]).toEqual([0, false, true])
    expect(silent.stdout).toContain('note: The hooks of hermes.yaml were not run: they are commands of the project, and nobody could be asked. Add ')
    const dry = await run(['apply', '-', '--dry-run'], write('c.txt', 'x\n'))
    expect(dry.stdout).toContain('·  hook  touch hooked        touch hooked  would run\n    note: Asked first: ')
    expect(dry.stdout).toContain('1 hook would run')
    const yes = await run(['apply', '-', '--yes'], write('d.txt', 'x\n'))
    expect([yes.exitCode, has('hooked')]).toEqual([0, true])
  })

  it('are no part of exec, mcp and replay', async () => {
    const { run, has, directory, root, env } = world({ [USER]: 'hooks:\n  before:\n    - run: touch hooked\n', 'transcript.jsonl': '' })
    await run(['exec', '-'], 'verb: fs.writeFile\narguments: { path: b.txt, content: x }\n')
    await served(root, env)
    await run(['apply', '-', '--no-hooks', '--record', join(directory, 'r.jsonl')], write('d.txt', 'x\n'))
    const replayed = await run(['replay', join(directory, 'r.jsonl')])
    expect([replayed.exitCode, has('b.txt'), has('c.txt'), has('d.txt'), has('hooked')]).toEqual([0, true, true, true, false])
  })

  it('show in hermes config, and wrong ones are refused with their place', async () => {
    const { run, put } = world({ [USER]: 'hooks:\n  after_write:\n    - { files: "*.ts", run: [prettier, --write, "{paths}"] }\n' })
    expect((await run(['config'])).stdout).toMatch(/^hooks\.after_write +prettier --write \{paths\} +~\/\.hermes\/config\.yaml:3$/m)
    put(USER, 'hooks:\n  after_write:\n    - run: "prettier \\"{path}\\""\n  befor:\n    - run: x\n')
    const refused = await run(['apply', '-'], write('b.txt', 'x\n'))
    expect(refused.exitCode).toBe(2)
    expect(refused.stdout + refused.stderr).toContain('~/.hermes/config.yaml:3:7: hooks.after_write[0]: run: write {path} and {paths} without quotes around them')
    expect(refused.stdout + refused.stderr + (await run(['config', 'check'])).stdout).toContain('unknown name hooks.befor; did you mean before?')
  })
})

describe('plans', () => {
  const ANSWER = write('b.txt', 'new\n') + call('fs.moveFile', { sourcePath: 'a.txt', destinationPath: 'sub/c.txt' }) + call('fs.readFile', { path: 'nope' })

  async function planned(answer = ANSWER, ...flags: string[]) {
    const here = world({ 'answer.md': answer })
    const file = join(here.directory, 'plan.json')
    const made = await here.run(['apply', join(here.directory, 'answer.md'), '--dry-run', '--plan', file, ...flags])
    return { ...here, file, made, plan: (): Record<string, never> => JSON.parse(readFileSync(file, 'utf8')), names: () => readdirSync(here.directory).sort() }
  }

  it('say what would happen, and that happens', async () => {
    const { root, run, file, made, plan, text, has, names } = await planned()
    expect([made.exitCode, made.stderr]).toEqual([1, `Plan: ${file} (4 paths). hermes apply --plan ${file} does that, or says what changed since.\n`])
    expect(plan()).toMatchObject({
      hermesPlan: 1, root, answer: { sha256: sha(ANSWER), text: ANSWER },
      blocks: [{ id: 'b1', success: true }, { id: 'b2', success: true }, { id: 'b3', success: false, code: 'ENOENT' }],
      files: [
        { path: join(root, 'a.txt'), before: sha('a\n'), after: 'none' }, { path: join(root, 'b.txt'), before: 'none', after: sha('new\n') },
        { path: join(root, 'sub'), before: 'none', after: 'directory' }, { path: join(root, 'sub/c.txt'), before: 'none', after: sha('a\n') },
      ],
      hooks: [],
    })
    expect([statSync(file).mode & 0o777, names()]).toEqual([0o600, ['answer.md', 'home', 'plan.json', 'project']])
    expect(has('b.txt')).toBe(false)
    const done = await run(['apply', '--plan', file])
    expect(done.stdout).toContain('2 of 3 blocks succeeded')
    expect([text('b.txt'), text('sub/c.txt'), has('a.txt')]).toEqual(['new\n', 'a\n', false])
    const again = await run(['apply', '--plan', file, '--json'])
    expect([again.exitCode, JSON.parse(again.stdout)]).toMatchObject([1, { success: false, code: 'PLAN_CHANGED', data: { changes: expect.arrayContaining([`${join(root, 'a.txt')} was removed since the plan was made`]) } }])
  })

  it('run nothing where anything changed, and say all of it', async () => {
    const here = await planned()
    const { put, root, directory, file } = here
    put('project/a.txt', 'other\n')
    put('project/b.txt', 'other\n')
    put('project/hermes.yaml', 'deny: ["*.sqlite"]\n')
    put(USER, 'hooks:\n  after:\n    - run: touch hooked\n')
    put('other.md', write('b.txt', 'others\n'))
    const told = await here.run(['apply', '--plan', file, join(directory, 'other.md'), '--network', '--toolset', 'hermes', '--json'])
    expect([told.exitCode, JSON.parse(told.stdout).data.changes]).toEqual([1, [
      'the plan was made with --network off, now it is on',
      'the plan was made with --toolset not given, now it is hermes',
      'the answer is not the one that the plan was made of',
      'the policy: deny was not set, is *.sqlite',
      `${root}/a.txt changed since the plan was made`,
      `${root}/b.txt came to be since the plan was made`,
      `${root}/sub would not be changed any more`,
      `${root}/sub/c.txt would not be changed any more`,
      'block b2 fs.moveFile: succeeds is now gone',
      'block b3 fs.readFile: ENOENT is now gone',
      'a hook that the plan does not show: after touch hooked: touch hooked',
    ]])
    mkdirSync(join(directory, 'else'))
    const elsewhere = await here.run(['apply', '--plan', file, '--root', join(directory, 'else')])
    expect([elsewhere.exitCode, elsewhere.stdout]).toEqual([1, ''])
    expect(elsewhere.stderr).toContain(`hermes: The plan ${file} no longer holds, so nothing was run: the plan was made with --root ${root}, now it is ${directory}/else\n`)
    expect([here.has('sub'), here.has('a.txt'), here.has('.hermes'), here.has('hooked')]).toEqual([false, true, false, false])
  })

  it('take with them how the answer is read, and nothing that opens something', async () => {
    const answer = `#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "/workspace/x.txt"\ncontent = "x"\n#!END_SHAM_abc\n`
    const here = await planned(answer, '--root-alias', '/workspace', '--network')
    const refused = await here.run(['apply', '--plan', here.file])
    expect([refused.exitCode, refused.stderr.includes('the plan was made with --network on, now it is off')]).toEqual([1, true])
    const done = await here.run(['apply', '--plan', here.file, '--network'])
    expect([done.exitCode, here.text('x.txt')]).toEqual([0, 'x'])
  })

  it('that were tampered with are refused', async () => {
    const { file, run, has } = await planned()
    const before = readFileSync(file, 'utf8')
    const changes: [(text: string) => string, string][] = [
      [(text) => text.replace('new\\\\n', 'bad\\\\n'), 'was changed since it was made: its digest does not fit'],
      [(text) => text.replace('{', '{"more": 1,'), 'is no plan: more should be never'],
      [(text) => text.replace('"hermesPlan": 1', '"hermesPlan": 2'), 'is a plan of version 2; this hermes reads 1'],
      [() => 'plan', 'is not JSON'],
      [() => '['.repeat(100_000) + ']'.repeat(100_000), 'is nested too deeply'],
      [(text) => text.replace(sha('new\n'), sha('old\n')), 'was changed since it was made: its digest does not fit'],
    ]
    for (const [change, why] of changes) {
      writeFileSync(file, change(before))
      expect(readFileSync(file, 'utf8')).not.toBe(before)
      expect(() => readPlan(file)).toThrow(expect.objectContaining({ code: 'INVALID_PLAN', message: expect.stringContaining(why) }))
    }
    const refused = await run(['apply', '--plan', file])
    expect([refused.exitCode, has('b.txt'), refused.stderr]).toEqual([2, false, expect.stringContaining('its digest does not fit')])
  })

  it('made by somebody else, digest and all, go through the policy and the gate as any answer', async () => {
    const here = await planned(call('fs.writeFile', { path: '../outside.txt', content: 'x' }) + call('fs.writeFile', { path: 'hermes.yaml', content: 'x' }))
    const done = await here.run(['apply', '--plan', here.file])
    expect([done.exitCode, existsSync(join(here.directory, 'outside.txt')), here.has('hermes.yaml')]).toEqual([1, false, false])
  })

  it('name commands and hooks, which a dry run does not start', async () => {
    const here = world({ 'answer.md': call('exec', { lang: 'bash', code: 'touch ran' }) + write('b.txt', 'x'), [USER]: `${NO_SANDBOX}hooks:\n  after_write:\n    - run: cat {path}\n` })
    const file = join(here.directory, 'plan.json')
    const made = await here.run(['apply', join(here.directory, 'answer.md'), '--dry-run', '--plan', file])
    expect(made.stderr).toContain('(1 path, 1 command)')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      blocks: [{ command: 'touch ran' }, {}], hooks: [{ on: 'after_write', command: 'cat b.txt', paths: ['b.txt'] }],
    })
    expect(here.has('ran')).toBe(false)
    here.put(USER, `${NO_SANDBOX}hooks:\n  after_write:\n    - { run: "cat {path}", time_limit: 5s, continue_on_error: true }\n`)
    const changed = await here.run(['apply', '--plan', file, '--json'])
    expect(JSON.parse(changed.stdout).data.changes).toEqual([
      'hook after_write cat {path}: cat b.txt is now after_write cat {path}: cat b.txt (time_limit 5000 ms) (continue_on_error)',
    ])
    here.put(USER, `${NO_SANDBOX}hooks:\n  after_write:\n    - run: cat {path}\n`)
    const done = await here.run(['apply', '--plan', file, '--sandbox', 'auto'])
    expect(done.stderr).toContain('--sandbox not given, now it is auto')
    expect([(await here.run(['apply', '--plan', file])).exitCode, here.has('ran')]).toEqual([0, true])
  })

  it('are written from standard input too, and nowhere for a wrong place', async () => {
    const { run, directory, has, text } = world()
    const file = join(directory, 'plan.json')
    expect((await run(['apply', '--dry-run', '--plan', file], write('b.txt', 'x'))).exitCode).toBe(0)
    const none = await run(['apply', '--dry-run', '--plan', file], '')
    expect([none.exitCode, none.stderr]).toEqual([0, 'hermes: no plan was written, since the answer has no blocks\n'])
    expect([(await run(['apply', '--plan', file])).exitCode, text('b.txt')]).toEqual([0, 'x'])
    const refused = await run(['apply', '--dry-run', '--plan', join(directory, 'no', 'plan.json')], write('c.txt', 'x'))
    expect([refused.exitCode, refused.stderr, has('c.txt')]).toEqual([2, expect.stringContaining('No such directory for the plan'), false])
  })
})

it('a formatter of the user has its changes in the commit and in the undo', async () => {
  const here = world({ [USER]: `${NO_SANDBOX}hooks:\n  after_write:\n    - files: '*.txt'\n      run: tr a-z A-Z <{path} >.t && cat .t >{path} && rm .t\n` })
  const git = (...args: string[]): string => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: here.root, encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@example.org')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'start')
  expect((await here.run(['apply', '-'], write('a.txt', 'new\n'))).exitCode).toBe(0)
  expect([here.text('a.txt'), git('show', 'HEAD:a.txt'), git('status', '--porcelain')]).toEqual(['NEW\n', 'NEW', ''])
  expect((await here.run(['undo'])).exitCode).toBe(0)
  expect([here.text('a.txt'), git('status', '--porcelain')]).toEqual(['a\n', ''])
})
