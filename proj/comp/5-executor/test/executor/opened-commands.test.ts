import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { ApprovalAnswer, ApprovalReply, ApprovalRequest } from '../../../0-contracts/src/index.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes, type ExecutorOptions } from '../../src/executor/index.js'

type Answer = ApprovalAnswer | ApprovalReply

afterEach(() => void vi.unstubAllEnvs())

/** A session in a repository, and what it asked. */
function session(answer: Answer | (() => Answer) | undefined, options: ExecutorOptions = {}, base = tempDir()) {
  const root = join(base, 'project')
  if (!existsSync(root)) {
    mkdirSync(root)
    writeFileSync(join(root, 'file.txt'), 'one\n')
    git(root, 'init', '-q', '-b', 'main')
    git(root, 'add', '.')
    git(root, 'commit', '-q', '-m', 'first')
  }
  const asked: ApprovalRequest[] = []
  const hermes = new Hermes({
    root, policy: false, sandbox: 'bwrap', gitCommit: false, ...options,
    ...(answer !== undefined && { approve(request: ApprovalRequest) {
      asked.push(request)
      return typeof answer === 'function' ? answer() : answer
    } }),
  })
  const run = async (name: string, args: object) => (
    (await hermes.execute(`<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`)).results[0]
  )
  return { root, base, asked, run }
}

function git(root: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'a', GIT_CONFIG_KEY_1: 'user.email', GIT_CONFIG_VALUE_1: 'a@example.org' }
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', env })
}

const AUTO = { policy: { sandbox: 'auto' }, sandbox: undefined as never } as const
/** A command that reads a file of the home, which is not shown. */
function readsHome(): { command: string } {
  const home = tempDir()
  writeFileSync(join(home, 'note.txt'), 'the note of the home')
  vi.stubEnv('HOME', home)
  vi.stubEnv('HERMES_HOME', tempDir())
  return { command: `cat ${home}/note.txt` }
}

const BRANCH = { command: 'git branch made' }
const UNREACHABLE = 'echo tried >> tried.txt; echo "connect: Network is unreachable" >&2; exit 1'

needing('bubblewrap').describe('a command that the sandbox stopped', () => {
  it('is asked about once, with all that it is and what can be opened', async () => {
    const { root, run, asked } = session('deny', AUTO)
    const env = { GREETING: 'hello', API_TOKEN: 'abcdefgh12345678' }
    const result = await run('execute_command', { command: 'touch made && git branch made', env })
    expect(asked).toMatchObject([{
      action: 'execute_command', kind: 'escalation', reason: 'the sandbox stopped it: .git is read-only',
      command: 'touch made && git branch made', directory: root, sandbox: 'bwrap', network: false, offers: ['git', 'outside'],
      variables: [{ name: 'GREETING', value: 'hello' }, { name: 'API_TOKEN', value: '[masked]' }],
    }])
    expect(result).toMatchObject({ success: false, code: 'NONZERO_EXIT', data: { sandbox: 'bwrap', exit_code: 128 } })
    expect(result?.hint).toContain('It was not allowed to run again with more access.')
  })

  it('stays as it is where the user says no, and the model hears why', async () => {
    const { run } = session({ answer: 'deny', reason: 'use git_commit' })
    expect((await run('execute_command', BRANCH))?.hint).toContain('It was not allowed to run again with more access: use git_commit.')
  })

  it.each([
    ['network', () => ({ command: UNREACHABLE }), '--network'], ['git', () => BRANCH, '--sandbox none'],
    ['another directory', readsHome, '--allow'],
  ])('stays as it is where nobody can be asked, and says how the user opens it: %s', async (_, call, flag) => {
    const { run } = session(undefined)
    const result = await run('execute_command', call())
    expect(result).toMatchObject({ success: false, code: 'NONZERO_EXIT', data: { sandbox: 'bwrap' } })
    expect(result?.hint).toContain(flag)
    expect(result?.hint).not.toContain('allowed')
  })

  it('runs again outside where the user chose that, and the result says so', async () => {
    const { run, asked } = session({ answer: 'once', access: 'outside' }, AUTO)
    const result = await run('execute_command', readsHome())
    expect(result).toMatchObject({
      success: true, data: { stdout: 'the note of the home', sandbox: 'none', access: 'outside' },
    })
    expect(result?.hint).toContain('as the user allowed')
    expect(asked.map(({ offers }) => offers)).toEqual([['outside']])
  })

  it.each([
    ['exec', { lang: 'bash', code: UNREACHABLE }], ['exec', { lang: 'python', code: 'print("connect: Network is unreachable"); exit(1)' }],
    ['execute_script', { language: 'bash', script: UNREACHABLE }], ['proc.run', { executable: 'sh', arguments: ['-c', UNREACHABLE] }],
  ])('asks for %s as well, and not again when it fails again', async (name, args) => {
    const { run, asked } = session({ answer: 'once', access: 'network' })
    const result = await run(name, args)
    expect(asked.map(({ offers }) => offers)).toEqual([['network']])
    expect(result).toMatchObject({ success: false, data: { sandbox: 'bwrap', access: 'network' } })
    expect(result?.hint).toContain('with the network, as the user allowed')
  })

  it('has both where the second run meets another wall, as that command alone', async () => {
    const file = join(tempDir(), 'config.yaml')
    writeFileSync(file, '')
    const answers: Answer[] = [{ answer: 'once', access: 'git' }, { answer: 'always', access: 'network+git' }]
    const options = { policy: file, sandbox: 'bwrap' } as const
    const { root, base, run, asked } = session(() => answers.shift() ?? 'deny', options)
    // Only the machine's own network has more than a loopback of its own.
    const call = { command: `git branch -f made || exit
      test "$(readlink /proc/self/ns/net)" = '${readlinkSync('/proc/self/ns/net')}' || { echo "connect: Network is unreachable" >&2; exit 1; }` }
    const result = await run('execute_command', call)
    expect(asked.map(({ offers, access }) => [offers, access])).toEqual([[['git'], undefined], [['network+git'], 'git']])
    expect(result).toMatchObject({ success: true, data: { access: 'network+git' } })
    expect(result?.hint).toContain('with the network and with .git writable, as the user allowed')
    expect(git(root, 'branch', '--list', '--format=%(refname:short)')).toBe('made\nmain\n')
    expect(readFileSync(file, 'utf8')).toContain(`execute_command in ${root}, with the network and .git: git branch -f made`)
    const later = session(undefined, options, base)
    expect(await later.run('execute_command', call)).toMatchObject({ success: true, data: { access: 'network+git' } })
  })

  it('is offered both at once where it met both walls', async () => {
    const { run, asked } = session({ answer: 'once', access: 'network+git' })
    await run('execute_command', { command: `git branch made; ${UNREACHABLE}` })
    expect(asked.map(({ offers }) => offers)).toEqual([['network', 'git', 'network+git']])
  })

  it('is offered nothing that a policy keeps closed', async () => {
    const closed = session('deny', { policy: { sandbox: 'auto', verbs: { network: 'off' } }, sandbox: undefined as never })
    await closed.run('execute_command', { command: UNREACHABLE })
    await closed.run('execute_command', readsHome())
    await closed.run('execute_command', BRANCH)
    expect(closed.asked.map(({ offers }) => offers)).toEqual([['git']])
    const named = session('deny', { sandbox: 'bwrap' })
    await named.run('execute_command', readsHome())
    expect(named.asked).toEqual([])
  })

  it.each(['git config a.b c', 'echo x > .hermes/x', 'exit 1'])('is offered nothing where nothing would help: %s', async command => {
    const { run, asked } = session({ answer: 'once', access: 'git' })
    expect(await run('execute_command', { command })).toMatchObject({ success: false })
    expect(asked).toEqual([])
  })

  it('has for the session what the user opened for it, and no other command has', async () => {
    const { root, run, asked } = session({ answer: 'session', access: 'git' })
    const call = { command: 'git tag "tag-$(ls .git/refs/tags | wc -l)"' }
    for (const count of [1, 1]) {
      expect(await run('execute_command', call)).toMatchObject({ success: true, data: { access: 'git' } })
      expect(asked).toHaveLength(count)
    }
    expect(git(root, 'tag')).toBe('tag-0\ntag-1\n')
    for (const more of [{ env: { A: 'b' } }, { working_directory: '..' }, { command: `${call.command} ` }]) {
      await run('execute_command', { ...call, ...more })
    }
    expect(asked.length).toBeGreaterThanOrEqual(3)
  })

  it('has from then on what is stored, as that command alone', async () => {
    const file = join(tempDir(), 'config.yaml')
    writeFileSync(file, '')
    const options = { policy: file, sandbox: 'bwrap' } as const
    const first = session({ answer: 'always', access: 'git' }, options)
    expect(await first.run('execute_command', BRANCH)).toMatchObject({ success: true })
    expect(readFileSync(file, 'utf8')).toContain(`execute_command in ${first.root}, with .git: git branch made`)
    git(first.root, 'branch', '-d', 'made')
    const second = session(undefined, options, first.base)
    expect(await second.run('execute_command', BRANCH)).toMatchObject({ success: true, data: { access: 'git' } })
    expect(await second.run('execute_command', { command: 'git branch other' })).toMatchObject({ success: false })
  })

  it('has nothing by what the user wrote down of dangers or of the command without more', async () => {
    const base = tempDir()
    const file = join(base, 'config.yaml')
    writeFileSync(file, `command_allowlist:\n  - git discard\n  - "execute_command in ${base}/project: git branch -D topic"\n`)
    const { root, run, asked } = session('once', { policy: file }, base)
    git(root, 'branch', 'topic')
    expect(await run('execute_command', { command: 'git branch -D topic' })).toMatchObject({ success: false, data: { sandbox: 'bwrap' } })
    expect(asked.map(({ kind }) => kind)).toEqual(['escalation'])
  })

  it('is asked about as dangerous with what was opened to it before', async () => {
    const { root, run, asked } = session({ answer: 'session', access: 'git' })
    git(root, 'branch', 'topic')
    await run('execute_command', { command: 'git branch -D topic' })
    expect(asked.map(({ kind, access }) => [kind, access])).toEqual([['dangerous', undefined], ['escalation', undefined]])
    git(root, 'branch', 'topic')
    expect(await run('execute_command', { command: 'git branch -D topic' })).toMatchObject({ success: true, data: { access: 'git' } })
  })

  it('takes nothing over where the user changed the same of git meanwhile', async () => {
    const { root, run } = session({ answer: 'once', access: 'git' })
    const running = run('execute_command', {
      command: 'git branch made && git branch other && touch working && until test -e go; do sleep 0.05; done',
    })
    await vi.waitFor(() => expect(existsSync(join(root, 'working'))).toBe(true), { timeout: 30_000, interval: 50 })
    expect(git(root, 'branch', '--list')).toBe('* main\n')
    git(root, 'branch', 'made')
    writeFileSync(join(root, 'go'), '')
    expect(await running).toMatchObject({ success: false, code: 'CHANGED_ON_DISK' })
    expect(git(root, 'branch', '--list', '--format=%(refname:short)')).toBe('made\nmain\n')
  })
})
