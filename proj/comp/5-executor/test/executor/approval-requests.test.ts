import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer, ApprovalReply, ApprovalRequest } from '../../../0-contracts/src/index.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes, type ExecutorOptions } from '../../src/executor/index.js'

type Answer = ApprovalAnswer | ApprovalReply

/** A session in a directory with `full/a` and `note.txt`, and what it asked. */
function session(answer: Answer | (() => Answer), options: ExecutorOptions = {}) {
  const root = tempDir()
  mkdirSync(join(root, 'full'))
  writeFileSync(join(root, 'full', 'a'), 'a')
  writeFileSync(join(root, 'note.txt'), 'one\ntwo\n')
  const asked: ApprovalRequest[] = []
  const hermes = new Hermes({
    root, policy: false, sandbox: 'none', gitCommit: false, ...options,
    approve(request) {
      asked.push(request)
      return typeof answer === 'function' ? answer() : answer
    },
  })
  const run = async (name: string, args: object) => (
    (await hermes.execute(`<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`)).results[0]
  )
  return { root, asked, run }
}

const REMOVE = { command: 'rm -rf full' }

describe.skipIf(process.platform === 'win32')('an approval', () => {
  it('shows the variables of the call, where it runs and what holds it', async () => {
    const { root, run, asked } = session('deny')
    const env = { BASH_ENV: 'evil.sh', PATH: '.:/bin', API_TOKEN: 'abcdefgh12345678', GREETING: 'hello' }
    expect(await run('execute_command', { command: 'ls', working_directory: 'full', env })).toMatchObject({ code: 'APPROVAL_DENIED' })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      action: 'execute_command', kind: 'dangerous', pattern: 'code by variable', command: 'ls',
      directory: join(root, 'full'), sandbox: 'none', variables: [
        { name: 'BASH_ENV', value: 'evil.sh', changesWhatRuns: true }, { name: 'PATH', value: '.:/bin', changesWhatRuns: true },
        { name: 'API_TOKEN', value: '[masked]' }, { name: 'GREETING', value: 'hello' },
      ],
    })
    expect(JSON.stringify(asked)).not.toContain('abcdefgh12345678')
  })

  it('hides no variable that decides what runs, whatever its name and value look like', async () => {
    const { run, asked } = session('deny')
    const env = {
      GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.sshCommand', GIT_CONFIG_VALUE_0: './ghp_0123456789abcdefghijABCDEFGHIJ012345.sh',
    }
    await run('execute_command', { command: 'git fetch', env })
    expect(asked[0]?.variables).toEqual(Object.entries(env).map(([name, value]) => ({ name, value, changesWhatRuns: true })))
  })

  it('is one question for several reasons, which lists them', async () => {
    const policy = { sandbox: 'none', verbs: { exec: 'ask', network: 'ask' } } as const
    const { run, asked } = session('once', { policy, sandbox: undefined as never })
    expect(await run('execute_command', { command: 'rm -rf full; chmod 777 .' })).toMatchObject({ success: true })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.reasons?.map(({ kind, pattern }) => pattern ?? kind)).toEqual([
      'policy', 'recursive delete', 'world-writable permissions', 'network',
    ])
    expect(asked[0]).toMatchObject({ kind: 'dangerous', pattern: 'recursive delete' })
  })

  it.each([
    ['an empty command', 'execute_command', { command: ' ', env: { BASH_ENV: 'x.sh' } }],
    ['a missing directory', 'execute_command', { ...REMOVE, working_directory: 'missing' }],
    ['a variable without a name', 'execute_command', { ...REMOVE, env: { '': 'x' } }],
    ['a missing program', 'proc.run', { executable: './missing-program', arguments: ['rm', '-rf', '/'] }],
    ['a missing program in PATH', 'proc.run', { executable: 'no-such-program-here', arguments: [] }],
    ['a version that is not there', 'exec', { lang: 'python', version: '1.0', code: "import shutil; shutil.rmtree('full')" }],
    ['a file that is not there', 'delete_file', { path: 'missing.txt' }],
    ['a text that is not there', 'file_replace_text', { path: '/note.txt', old_text: 'missing', new_text: 'x' }],
  ])('is not asked for where the call fails anyway: %s', async (_, name, args) => {
    const policy = { sandbox: 'none', verbs: { exec: 'ask', write: 'ask' } } as const
    const { run, asked } = session('once', { policy, sandbox: undefined as never })
    expect(await run(name, args)).toMatchObject({ success: false })
    expect(asked).toEqual([])
  })

  it('is not asked for where the policy denies the command', async () => {
    const { run, asked } = session('once', { policy: { verbs: { exec: 'off' } } })
    expect(await run('execute_command', REMOVE)).toMatchObject({ code: 'POLICY_DENIED' })
    expect(asked).toEqual([])
  })

  it('of a write shows the difference', async () => {
    const { root, run, asked } = session('once', { policy: { verbs: { write: 'ask' } }, relativePaths: true })
    expect(await run('file_replace_text', { path: 'note.txt', old_text: 'two', new_text: '2' })).toMatchObject({ success: true })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.diff?.split('\n')).toEqual(expect.arrayContaining(['--- a/note.txt', '-two', '+2']))
    expect(readFileSync(join(root, 'note.txt'), 'utf8')).toBe('one\n2\n')
  })

  it.each([
    ['a new text', 'file_write', { path: 'note.txt', content: 'mine\n' }, 'note.txt'],
    ['an edit', 'file_replace_text', { path: 'note.txt', old_text: 'two', new_text: '2' }, 'note.txt'],
    ['a new file', 'file_write', { path: 'new.txt', content: 'mine\n' }, 'new.txt'],
    ['a deletion', 'file_delete', { path: 'note.txt' }, 'note.txt'],
    ['a move', 'file_move', { old_path: 'note.txt', new_path: 'moved.txt' }, 'note.txt'],
    ['a copy', 'fs.copyFile', { sourcePath: 'note.txt', destinationPath: 'copy.txt' }, 'note.txt'],
  ])('of a write holds for what was there when it was shown: %s', async (_, name, args, path) => {
    const theirs = 'one\ntwo\nthree of somebody else\n'
    const { root, run, asked } = session((): Answer => {
      execFileSync('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', theirs, join(root, path)])
      return 'once'
    }, { policy: { verbs: { write: 'ask' } }, relativePaths: true })
    expect(await run(name, args)).toMatchObject({ success: false, code: 'CHANGED_ON_DISK' })
    expect(asked).toHaveLength(1)
    expect(readFileSync(join(root, path), 'utf8')).toBe(theirs)
    expect(['moved.txt', 'copy.txt'].filter(made => existsSync(join(root, made)))).toEqual([])
    expect(await run('fs.readFile', { path })).toMatchObject({ success: true })
  })

  it('of a deletion that the policy and the verb ask about is one question', async () => {
    const { root, run, asked } = session('once', { policy: { verbs: { write: 'ask' } } })
    expect(await run('delete_file', { path: 'note.txt' })).toMatchObject({ success: true })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ kind: 'policy', diff: 'delete note.txt (2 lines)' })
    expect(asked[0]?.reasons?.map(({ kind }) => kind)).toEqual(['policy', 'confirm'])
    expect(existsSync(join(root, 'note.txt'))).toBe(false)
  })

  it('is seen for each of several writes to one file', async () => {
    const { root, asked } = session('once')
    const requests: ApprovalRequest[] = []
    const hermes = new Hermes({
      root, policy: { verbs: { write: 'ask' } }, gitCommit: false, relativePaths: true,
      approve: (request) => {
        requests.push(request)
        return 'once'
      },
    })
    const call = (old: string, next: string) => `<tool_call>${JSON.stringify({
      name: 'file_replace_text', arguments: { path: 'note.txt', old_text: old, new_text: next },
    })}</tool_call>\n`
    const { success } = await hermes.execute(call('one', '1') + call('1', 'I') + call('two', '2'))
    expect(success).toBe(true)
    expect(requests.map(({ diff }) => diff?.match(/^[-+]\w+$/gm))).toEqual([['-one', '+1'], ['-1', '+I'], ['-two', '+2']])
    expect(asked).toEqual([])
  })

  it('denied with a reason tells it', async () => {
    const { run } = session({ answer: 'deny', reason: 'use git clean\nand ask' })
    expect(await run('execute_command', REMOVE)).toMatchObject({
      code: 'APPROVAL_DENIED', error: 'execute_command: the user said no: use git clean\\nand ask',
    })
    expect(await run('delete_file', { path: 'note.txt' })).toMatchObject({ error: expect.stringContaining('use git clean') as string })
  })

  it('for the session holds for exactly what was shown', async () => {
    const { run, asked } = session('session')
    await run('execute_command', REMOVE)
    await run('execute_command', REMOVE)
    expect(asked).toHaveLength(1)
    await run('execute_command', { ...REMOVE, env: { A: 'b' } })
    await run('execute_command', { ...REMOVE, working_directory: '.' })
    expect(asked).toHaveLength(2)
    await run('execute_command', { command: 'rm -rf other' })
    await run('exec', { lang: 'bash', code: 'rm -rf full' })
    expect(asked).toHaveLength(4)
    await run('delete_file', { path: 'note.txt' })
    await run('delete_file', { path: 'note.txt', confirm: false })
    expect(asked).toHaveLength(5)
  })

  it('for the kind holds for all of the kind', async () => {
    const { run, asked } = session({ answer: 'session', scope: 'kind' })
    await run('execute_command', REMOVE)
    await run('exec', { lang: 'bash', code: 'rm -rf other' })
    expect(asked).toHaveLength(1)
    await run('execute_command', { command: 'chmod 777 .' })
    expect(asked).toHaveLength(2)
  })

  it('always keeps no secrets', async () => {
    const file = join(tempDir(), 'config.yaml')
    writeFileSync(file, 'sandbox: none\n')
    const { run } = session('always', { policy: file, sandbox: undefined as never })
    await run('execute_command', { ...REMOVE, env: { API_TOKEN: 'abcdefgh12345678', CI: '1' } })
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/with API_TOKEN=sha256-[0-9a-f]{32} CI=\\?"1\\?", without a sandbox: rm -rf full/)
    expect(text).not.toContain('abcdefgh12345678')
  })

  it('always of a long script keeps its hash, and holds for it', async () => {
    const file = join(tempDir(), 'config.yaml')
    writeFileSync(file, 'sandbox: none\n')
    const code = `rm -rf full\n${'# a comment\n'.repeat(200)}`
    const { root, run } = session('always', { policy: file, sandbox: undefined as never })
    await run('exec', { lang: 'bash', code })
    expect(readFileSync(file, 'utf8').length).toBeLessThan(500)
    const later = session('deny', { policy: file, sandbox: undefined as never, root })
    expect(await later.run('exec', { lang: 'bash', code })).toMatchObject({ success: true })
    expect(await later.run('exec', { lang: 'bash', code: `${code}#` })).toMatchObject({ code: 'APPROVAL_DENIED' })
  })
})
