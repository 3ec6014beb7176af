import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type {
  ApprovalAnswer, ApprovalRequest, HermesEvent, PolicyOptions,
} from '../../../0-contracts/src/index.js'
import { renderFeedback } from '../../../1-reports/src/index.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { createRunId, undo } from '../../../3-transaction/src/transaction/index.js'
import { Hermes, VerbExecutor, type ExecutorOptions } from '../../src/executor/index.js'

const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'c', GIT_COMMITTER_EMAIL: 'c@example.org',
}
Object.assign(process.env, GIT)
afterEach(() => vi.unstubAllEnvs())

const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
const write = (path: string, content = 'x\n'): string => call('fs.writeFile', { path, content })
const BASH = ['bash', '-c']

/** A directory; `hooks` are the user's unless they are in `hermes.yaml`. */
function place(yaml?: string) {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), 'a\n')
  if (yaml !== undefined) writeFileSync(join(root, 'hermes.yaml'), yaml)
  return {
    root,
    text: (name: string): string => readFileSync(join(root, name), 'utf8'),
    has: (name: string): boolean => existsSync(join(root, name)),
    async run(text: string, hooks: PolicyOptions['hooks'], options: ExecutorOptions = {}): ReturnType<Hermes['execute']> {
      const hermes = new Hermes({ root, policy: { ...(hooks && { hooks }) }, sandbox: 'none', approve: () => 'once', ...options })
      try {
        return await hermes.execute(text)
      } finally {
        await hermes[Symbol.asyncDispose]()
      }
    },
  }
}

/** The same, with all of it committed: for what git has to tell, since each of its processes takes time. */
function repository(yaml?: string) {
  const here = place(yaml)
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: here.root, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'start')
  return { ...here, git }
}

describe('after_write', () => {
  it('runs a formatter for the files that match; what it changes is of the commit and of the undo', async () => {
    const { root, git, text, run } = repository()
    const result = await run(write('src/b.ts', 'one\n') + write('notes.md') + write('a.txt', 'b\n'), {
      after_write: [{ name: 'upper', files: ['*.ts', '*.txt'], run: [...BASH, 'for f; do tr a-z A-Z <"$f" >t && cat t >"$f" && rm t; done', 'format', '{paths}'] }],
    })
    expect(result).toMatchObject({
      success: true, results: [{ hooks: [1] }, {}, { hooks: [1] }],
      hooks: [{
        seq: 1, name: 'upper', on: 'after_write', success: true, exitCode: 0, output: '', by: "option 'policy'",
        paths: ['src/b.ts', 'a.txt'], blocks: ['b1', 'b3'], changed: ['src/b.ts', 'a.txt'],
        diffs: [
          { path: 'src/b.ts', diff: '@@ -1,1 +1,1 @@\n-one\n+ONE' }, { path: 'a.txt', diff: '@@ -1,1 +1,1 @@\n-b\n+B' },
        ],
      }],
    })
    expect(result.results[1]).not.toHaveProperty('hooks')
    expect([text('src/b.ts'), text('a.txt'), text('notes.md')]).toEqual(['ONE\n', 'B\n', 'x\n'])
    expect(git('show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual(['a.txt', 'notes.md', 'src/b.ts'])
    expect(git('show', 'HEAD:src/b.ts')).toBe('ONE')
    expect(git('status', '--porcelain')).toBe('')
    expect(renderFeedback(result)).toBe('All 3 blocks succeeded.\n\nChanged after the blocks by the hook upper: src/b.ts, a.txt. Read them before you edit them again.\n')
    expect(result.reply()).toMatch(/^CHANGED after the blocks by the hook upper: src\/b\.ts\n    \| @@ -1,1 \+1,1 @@\n    \| -one\n    \| \+ONE\n\n/m)
    expect(result.reply()).not.toContain('Read them')

    const taken = await undo({
      root, gate: createPathGate({ root, forUser: true }), runId: createRunId(), force: false, git: true, durable: false, waitMs: 0, signal: new AbortController().signal,
    })
    expect(taken).toMatchObject({ success: true, left: [] })
    expect([text('a.txt'), existsSync(join(root, 'src'))]).toEqual(['a\n', false])
  })

  it('runs once for each file where the command names one, and gives each name as one word', async () => {
    const { run, text } = place()
    const names = ['-rf', "it's $(touch pwned) `touch pwned`.txt", 'two words.txt', 'x;touch pwned']
    const result = await run(names.map((name) => write(name)).join(''), {
      after_write: [{ name: 'shell', run: 'printf "%s|" {path} >>log' }, { name: 'list', run: ['sh', '-c', 'printf "%s|" "$@" >>log2', 'sh', '{paths}'] }],
    })
    expect(result.hooks?.map(({ name, paths, success }) => [name, paths, success])).toEqual([
      ...names.map((name) => ['shell', [name], true]), ['list', names, true],
    ])
    const words = ['./-rf', ...names.slice(1)].map((name) => `${name}|`).join('')
    expect([text('log'), text('log2')]).toEqual([words, words])
    expect(existsSync('pwned')).toBe(false)
  })

  it('runs for nothing that was only read, deleted or left to others', async () => {
    const { run } = place()
    const hooks = { after_write: [{ run: 'echo {paths}' }], after: [{ run: 'echo after' }] }
    const only = await run(call('fs.readFile', { path: 'a.txt' }), hooks)
    expect(only.hooks).toBeUndefined()
    const gone = await run(write('b.txt') + call('fs.deleteFile', { path: 'b.txt' }), hooks)
    expect(gone.hooks?.map(({ on }) => on)).toEqual(['after'])
    const move = (from: string, to: string): string => call('fs.moveFile', { sourcePath: from, destinationPath: to })
    const moved = await run(write('c.txt') + move('c.txt', 'd.txt') + write('old/in/e.txt') + write('older/f.txt') + move('old', 'new'), hooks)
    expect(moved.hooks?.[0]).toMatchObject({
      paths: ['d.txt', 'older/f.txt', 'new/in/e.txt'], blocks: ['b1', 'b2', 'b4', 'b3', 'b5'], output: 'd.txt older/f.txt new/in/e.txt\n',
    })
  })

  it('cuts a long list of files into several starts', async () => {
    const { run } = place()
    const name = (at: number): string => `${'n'.repeat(200)}${String(at).padStart(4, '0')}`
    const result = await run(Array.from({ length: 600 }, (_, at) => write(name(at))).join(''), { after_write: [{ run: 'echo $# {paths} | wc -w' }] })
    const counts = result.hooks?.map(({ paths = [] }) => paths.length) ?? []
    expect(counts.length).toBeGreaterThan(1)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(600)
    expect(result.hooks?.map(({ output }) => Number(output))).toEqual(counts.map((count) => count + 1))
  })
})

describe('what fails', () => {
  it('of before stops the run before anything of it', async () => {
    const { run, has, git } = repository()
    const result = await run(call('fs.readFile', { path: 'a.txt' }) + write('b.txt'), {
      before: [{ name: 'clean', run: 'echo not today >&2; exit 3' }, { run: 'touch second' }], after: [{ run: 'touch third' }],
    })
    expect(result).toMatchObject({
      success: false, executedActions: 0, fatalError: 'Nothing was run: hook clean exited with code 3',
      results: [{ code: 'HOOK_FAILED' }, { code: 'HOOK_FAILED', error: 'Not started: hook clean exited with code 3' }],
      hooks: [{ name: 'clean', on: 'before', success: false, exitCode: 3, code: 'NONZERO_EXIT', output: 'not today\n' }],
    })
    expect([has('b.txt'), has('second'), has('third'), git('log', '--format=%s')]).toEqual([false, false, false, 'start'])
  })

  it('of after makes the run fail, with its output in the feedback; the blocks stay done', async () => {
    const { run, text } = repository()
    const result = await run(write('b.txt'), { after: [{ name: 'tests', run: ['sh', '-c', 'echo "1 failed: b.txt is x"; exit 1'] }, { name: 'more', run: 'echo more >>b.txt' }] })
    expect(result).toMatchObject({ success: false, hooks: [{ success: false, exitCode: 1 }, { name: 'more', success: true, changed: ['b.txt'] }] })
    expect([result.fatalError, result.results[0]?.success, text('b.txt'), typeof result.gitCommit]).toEqual([undefined, true, 'x\nmore\n', 'string'])
    expect(renderFeedback(result)).toContain('Changed after the blocks by the hook more: b.txt. Read it before you edit it again.')
    expect(renderFeedback(result)).toContain("HOOK FAILED tests (after the blocks): sh -c 'echo \"1 failed: b.txt is x\"; exit 1'\n    NONZERO_EXIT: hook tests exited with code 1\n")
    expect(renderFeedback(result)).toContain('    | 1 failed: b.txt is x\n')
  })

  it('counts for nothing with continue_on_error, and is told', async () => {
    const { run, has } = place()
    const result = await run(write('b.txt'), { before: [{ run: 'false', continue_on_error: true }], after: [{ name: 'lint', run: 'exit 7', continue_on_error: true }] })
    expect(result).toMatchObject({ success: true, hooks: [{ success: false, ignored: true }, { success: false, ignored: true, exitCode: 7 }] })
    expect(has('b.txt')).toBe(true)
    expect(renderFeedback(result)).toContain('HOOK FAILED lint (after the blocks; it counts as a warning)')
  })

  it('puts an atomic run back', async () => {
    const { run, text } = repository()
    const result = await run(write('a.txt', 'new\n'), { after: [{ run: 'false' }] }, { atomic: 'files' })
    expect([result.success, result.rolledBack, text('a.txt')]).toEqual([false, 'files', 'a\n'])
    const refused = await run(write('a.txt', 'new\n'), { after: [{ run: 'false' }] }, { atomic: true })
    expect([refused.success, refused.warnings, refused.hooks]).toEqual([
      true, ['Hooks were not run: what commands change cannot be put back; --atomic=files runs them'], undefined,
    ])
  })

  it('is ended with all it started when it hangs, also where it ignores signals', async () => {
    const { run, text, has } = place()
    const result = await run(write('b.txt'), {
      after: [{ name: 'hangs', time_limit: '600ms', run: "trap '' TERM INT HUP; echo begun; (trap '' TERM; sleep 3; touch survived) & sleep 60" }],
    })
    expect(result.hooks?.[0]).toMatchObject({ success: false, code: 'TIMEOUT', error: 'hook hangs was stopped after 0.6 s, its time limit', output: 'begun\n' })
    expect(result.hooks?.[0]).not.toHaveProperty('exitCode')
    expect([has('survived'), text('b.txt')]).toEqual([false, 'x\n'])
  })

  it('of a program that is not there says so', async () => {
    const { run } = place()
    const result = await run(write('b.txt'), { after: [{ name: 'gone', run: ['no-such-formatter', '--fix'] }] })
    expect(result.hooks?.[0]).toMatchObject({ success: false, output: '', command: 'no-such-formatter --fix' })
    expect(result.hooks?.[0]?.error).toMatch(/no-such-formatter|exited with code 127/)
  })
})

describe('what a hook prints', () => {
  it('is kept to 64 KB of 50 MB, with its start and its end', async () => {
    const { run } = place()
    const result = await run(write('b.txt'), { after: [{ run: 'echo first; head -c 50000000 /dev/zero | tr "\\0" x; echo; echo last' }] })
    const output = result.hooks?.[0]?.output ?? ''
    expect(output.length).toBeLessThan(66_000)
    expect([output.startsWith('first\n'), output.endsWith('last\n'), /… \d+ bytes omitted …/.test(output)]).toEqual([true, true, true])
  })

  it('has no secrets of the environment, nor has its command', async () => {
    vi.stubEnv('DEPLOY_TOKEN', 'tok_9f8e7d6c5b4a39281706')
    const { run } = place()
    const result = await run(write('b.txt'), { after: [{ run: 'echo tok_9f8e7d6c5b4a39281706' }] })
    expect(JSON.stringify(result)).not.toContain('tok_9f8e7d6c5b4a39281706')
    expect(result.hooks?.[0]?.success).toBe(true)
  })
})

describe('what a hook may do', () => {
  needing('bubblewrap').it('is what commands may: it writes in the root only', async () => {
    const { run, root, git } = repository()
    const outside = tempDir()
    const result = await run(write('b.txt'), { after: [{ run: `echo x >${outside}/out; echo x >>.git/config; echo x >hermes.yaml; echo ok >inside` }] }, { sandbox: 'auto' })
    expect(result.hooks?.[0]?.sandbox).toBe('bwrap')
    expect([existsSync(join(outside, 'out')), existsSync(join(root, 'hermes.yaml')), existsSync(join(root, 'inside'))]).toEqual([false, false, true])
    expect(git('config', '--list')).not.toContain('\nx')
  })

  it.each([
    ['exec off', { verbs: { exec: 'off' as const } }, "option 'policy' says exec: off"],
    ['no network and no sandbox', { verbs: { network: 'off' as const }, sandbox: 'none' as const }, "option 'policy' says network: off, and there is no sandbox to keep it so"],
  ])('nothing with %s', async (_, policy, why) => {
    const { run, has } = place()
    const result = await run(write('b.txt'), undefined, { policy: { ...policy, hooks: { before: [{ run: 'touch hooked' }], after: [{ run: 'touch hooked' }] } } })
    expect([result.success, result.warnings, has('hooked'), has('b.txt')]).toEqual([true, [`Hooks were not run: ${why}`], false, true])
  })

  it('nothing for hooks: false, in single envelopes and in a dry run, which lists them', async () => {
    const { run, has, root } = place()
    const hooks = { before: [{ run: 'touch hooked' }], after_write: [{ files: '*.txt', run: 'touch {path}.hooked' }], after: [{ run: 'touch hooked' }] }
    expect((await run(write('b.txt'), hooks, { hooks: false })).hooks).toBeUndefined()
    const single = new VerbExecutor({ root, policy: { hooks } })
    expect(JSON.parse(await single.execute({ verb: 'fs.writeFile', arguments: { path: 'c.txt', content: '' } }))).toMatchObject({ succeeded: true })
    await single[Symbol.asyncDispose]()
    const dry = await run(write('d.txt'), hooks, { dryRun: true })
    expect(dry.hooks?.map(({ on, command, planned, paths }) => [on, command, planned, paths])).toEqual([
      ['before', 'touch hooked', true, undefined], ['after_write', 'touch d.txt.hooked', true, ['d.txt']], ['after', 'touch hooked', true, undefined],
    ])
    expect([has('hooked'), has('d.txt'), has('b.txt.hooked'), has('c.txt.hooked')]).toEqual([false, false, false, false])
  })
})

describe('the hooks of a project', () => {
  const YAML = 'hooks:\n  after:\n    - run: touch hooked\n'

  function asked(answer: ApprovalAnswer): { requests: ApprovalRequest[]; options: ExecutorOptions } {
    const requests: ApprovalRequest[] = []
    return { requests, options: { approve: (request) => { requests.push(request); return answer } } }
  }

  it('never run unasked', async () => {
    const { run, has, root } = place(YAML)
    const nobody = await run(write('b.txt'), undefined, { approve: undefined as never })
    expect(nobody.success).toBe(true)
    expect(nobody.warnings).toEqual([expect.stringMatching(
      /^The hooks of hermes\.yaml were not run: they are commands of the project, and nobody could be asked\. Add .+@[0-9a-f]{16} to trusted_hooks in ~\/\.hermes\/config\.yaml, or say --yes$/,
    )])
    const denied = asked('deny')
    expect((await run(write('b.txt'), undefined, denied.options)).warnings).toEqual(['The hooks of hermes.yaml were not run: you did not want them to'])
    expect(denied.requests).toMatchObject([{ kind: 'hooks', pattern: expect.stringContaining(`${root}@`), command: 'after touch hooked: touch hooked' }])
    expect(has('hooked')).toBe(false)
    const dry = await run(write('c.txt'), undefined, { dryRun: true })
    expect(dry.hooks?.[0]?.hint).toMatch(/^Asked first: .* is not in trusted_hooks of ~\/\.hermes\/config\.yaml\.$/)
  })

  it('run when the user says so, or trusts the project as it is', async () => {
    const { run, has, root, git } = repository(YAML)
    const yes = asked('session')
    expect((await run(write('b.txt'), undefined, yes.options)).hooks).toMatchObject([{ by: 'hermes.yaml:3', success: true }])
    expect([has('hooked'), yes.requests.length]).toEqual([true, 1])
    const trust = yes.requests[0]?.pattern ?? ''
    const never = asked('deny')
    const trusting = (entry: string): ExecutorOptions => ({ ...never.options, policy: { trusted_hooks: [entry] } })
    expect((await run(write('c.txt'), undefined, trusting(trust))).hooks).toHaveLength(1)
    expect(never.requests).toEqual([])
    writeFileSync(join(root, 'hermes.yaml'), YAML.replace('hooked', 'others'))
    git('commit', '--quiet', '--all', '-m', 'other hooks')
    expect((await run(write('d.txt'), undefined, trusting(trust))).hooks).toBeUndefined()
    expect(never.requests).toHaveLength(1)
    expect((await run(write('e.txt'), undefined, trusting(root))).hooks).toHaveLength(1)
  })

  it('are asked about with all of their commands: a long one pushes none out, and none poses as several', async () => {
    const { run } = place(JSON.stringify({ hooks: {
      before: [{ name: 'long', run: `echo ${'x'.repeat(4000)}; touch hidden` }, { run: ['sh', '-c', 'one\ntwo \u202e'] }], after: Array.from({ length: 20 }, (_, at) => ({ run: `last ${at}` })),
    } }))
    const { requests, options } = asked('deny')
    await run(write('b.txt'), undefined, options)
    const { command = '' } = requests[0] ?? {}
    const lines = command.split('\n')
    expect(command.length).toBeLessThan(2000)
    expect([lines.length, lines[0]?.endsWith('xx…'), lines[1]]).toEqual([21, true, String.raw`before sh -c 'one\ntwo \u202e': sh -c 'one\ntwo \u202e'`])
    expect(lines.at(-1)).toBe('(and 2 more; … is cut: read hermes.yaml before you agree)')
  })

  it('are asked about again where one is dangerous', async () => {
    const { run, root, has } = place('hooks:\n  after:\n    - run: rm -rf /\n')
    const kinds: unknown[] = []
    const result = await run(write('b.txt'), undefined, {
      policy: { trusted_hooks: [root] }, approve: ({ kind }) => { kinds.push(kind); return 'deny' },
    })
    expect([kinds, result.hooks?.[0]?.code, result.success, has('b.txt')]).toEqual([['dangerous'], 'APPROVAL_DENIED', false, true])
  })

  it('always is stored with the hooks as they are', async () => {
    const { run, root } = place(YAML)
    const home = tempDir()
    vi.stubEnv('HOME', home)
    mkdirSync(join(home, '.hermes'))
    writeFileSync(join(home, '.hermes', 'config.yaml'), '# mine\nsandbox: none\n')
    const answer = asked('always')
    await run(write('b.txt'), undefined, { ...answer.options, policy: undefined as never, sandbox: undefined as never })
    expect(readFileSync(join(home, '.hermes', 'config.yaml'), 'utf8')).toMatch(new RegExp(`^# mine\nsandbox: none\ntrusted_hooks:\n  - ${root}@[0-9a-f]{16}\n$`))
    const again = asked('deny')
    expect((await run(write('c.txt'), undefined, { ...again.options, policy: undefined as never, sandbox: undefined as never })).hooks).toHaveLength(1)
    expect(again.requests).toEqual([])
  })
})

it('streams tell them as events: before ahead of the first block, the others behind the last', async () => {
  const { root } = place()
  const hooks = { before: [{ name: 'one', run: 'true' }], after_write: [{ name: 'two', run: 'cat {path}' }], after: [{ name: 'three', run: 'true' }] }
  const hermes = new Hermes({ root, policy: { hooks }, sandbox: 'none' })
  const events: HermesEvent[] = []
  for await (const event of hermes.stream((async function* () { yield write('b.txt'); yield write('c.txt') })())) events.push(event)
  await hermes[Symbol.asyncDispose]()
  expect(events.map((event) => (event.type === 'hook-end' ? `${event.type} ${event.result.name}` : event.type))).toEqual([
    'hook-start', 'hook-end one', 'block-start', 'block-end', 'block-start', 'block-end',
    'hook-start', 'hook-end two', 'hook-start', 'hook-end two', 'hook-start', 'hook-end three', 'end',
  ])
})

it('a run that is cancelled during a hook ends it, and starts no other', async () => {
  const { run, has } = place()
  const controller = new AbortController()
  const result = await run(write('b.txt'), { after: [{ name: 'slow', run: 'sleep 60' }, { run: 'touch next' }] }, {
    signal: controller.signal, onEvent: ({ type }) => { if (type === 'hook-start') setImmediate(() => controller.abort()) },
  })
  expect([result.hooks?.map(({ code }) => code), result.success, has('next')]).toEqual([['CANCELLED'], false, false])
})
