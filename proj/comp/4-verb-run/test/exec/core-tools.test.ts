import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { executeCommand } from '../../src/exec/execute-command.js'
import { executeScript } from '../../src/exec/execute-script.js'
import { type ExecOutput, fail, markProcesses, NEEDS, run } from './run-exec.js'

/** Makes a directory with links to these programs of the machine, and these scripts, the whole PATH of the test. */
function onlyPath(links: string[], scripts: Record<string, string> = {}): void {
  const bin = tempDir()
  for (const name of links) symlinkSync(join('/bin', name), join(bin, name))
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  vi.stubEnv('PATH', bin)
  onTestFinished(() => void vi.unstubAllEnvs())
}

describe('execute_command', () => {
  const command = (text: string, more: object = {}) => ({ command: text, ...more })

  it('runs through bash', async () => {
    expect(await run(executeCommand, command('echo {a,b} | tr a-z A-Z; echo err >&2')))
      .toEqual({ stdout: 'A B\n', stderr: 'err\n', sandbox: 'none', exit_code: 0 })
  })

  needing('bubblewrap').it('runs in the sandbox unless told otherwise', async () => {
    expect(await run(executeCommand, command('echo {a,b} | tr a-z A-Z; echo err >&2'), { mode: 'auto' }))
      .toEqual({ stdout: 'A B\n', stderr: 'err\n', sandbox: 'bwrap', exit_code: 0 })
  })

  it('runs through sh where there is no bash', async () => {
    onlyPath(['sh'])
    expect(await run(executeCommand, command('echo "${BASH_VERSION:-plain}"'))).toMatchObject({ stdout: 'plain\n' })
  })

  it('needs a shell', async () => {
    onlyPath([])
    const failure = await fail(executeCommand, command('echo'))
    expect(failure).toMatchObject({
      code: 'ENOENT', message: 'execute_command: bash and sh not found in PATH (ENOENT)',
    })
    expect(failure.hint).toContain('proc.run')
  })

  it.each(['-x; echo ok', '+x; echo ok', '--version; echo ok'])('takes %j for a command', async text => {
    const { stdout, stderr } = await run(executeCommand, command(text)) as ExecOutput
    expect(stdout).toBe('ok\n')
    expect(stderr).toContain('not found')
  })

  it('sets and passes on environment variables', async () => {
    vi.stubEnv('HERMES_TEST_VALUE', 'inherited')
    onTestFinished(() => void vi.unstubAllEnvs())
    const env = { GREETING: `é "q" 'q' $HOME\nnext`, EMPTY: '', PATH: process.env['PATH'] ?? '' }
    const text = 'printf "%s|%s|%s" "$GREETING" "${EMPTY-unset}" "$HERMES_TEST_VALUE"'
    expect(await run(executeCommand, command(text, { env })))
      .toMatchObject({ stdout: `${env.GREETING}||inherited` })
  })

  for (const mode of ['auto', 'unshare', 'none'] as const) {
    const title = `cannot be hidden from its own end by an environment variable, sandbox ${mode}`
    needing(...NEEDS[mode]).it(title, async () => {
      const living = markProcesses()
      const env = { HERMES_RUN: 'mine', FORCE_COLOR: '1' }
      const text = 'setsid sleep 60 & echo "$HERMES_RUN $FORCE_COLOR"'
      const { stdout } = await run(executeCommand, command(text, { env }), { mode }) as ExecOutput
      expect(stdout).toMatch(mode !== 'none' ? /^mine 1\n$/ : /^test:[0-9a-f-]{36} 1\n$/)
      expect(living()).toEqual([])
    })
  }

  it.each([
    [{ '': 'x' }, "execute_command: '' is no name of an environment variable"],
    [{ 'A=B': 'x' }, "execute_command: 'A=B' is no name of an environment variable"],
    [{ 'A\0': 'x' }, 'execute_command: a name in env must not contain NUL characters'],
    [{ A: 'x\0' }, 'execute_command: env.A must not contain NUL characters'],
    [{ A: '\udc00' }, 'execute_command: env.A holds half of a surrogate pair'],
  ])('refuses env %j', async (env, message) => {
    expect(await fail(executeCommand, command('echo', { env }))).toMatchObject({ code: 'INVALID_PARAMETER', message })
  })

  it('fails with its exit code', async () => {
    expect(await fail(executeCommand, command('echo out; echo bad >&2; exit 7'))).toEqual({
      code: 'NONZERO_EXIT', message: 'execute_command: the command exited with code 7', hint: 'stderr says: bad',
      data: { stdout: 'out\n', stderr: 'bad\n', sandbox: 'none', exit_code: 7 },
    })
  })

  it.each([
    ['no-such-program', 'no-such-program is not installed here, or not in PATH: do without it, or ask the user to install it.'],
    ['echo "zsh:1: command not found: sudo" >&2; exit 127', 'sudo is not installed here, or not in PATH: do without it'],
    ['echo "sh: 1: jq: not found" >&2; exit 127', 'jq is not installed here'],
  ])('says that a program is missing: %s', async (text, hint) => {
    expect(await fail(executeCommand, command(text))).toMatchObject({ hint: expect.stringContaining(`\n${hint}`), data: { exit_code: 127 } })
  })

  it.each(['echo "x: jq: command not found" >&2; exit 1', 'echo "no such host: not found" >&2; exit 127'])('says so of nothing else: %s', async (text) => {
    expect(await fail(executeCommand, command(text))).toMatchObject({ hint: expect.not.stringContaining('installed') })
  })

  it('has a time limit in seconds, at most the user\'s', async () => {
    const living = markProcesses()
    const failure = await fail(executeCommand, command('echo so far; sleep 60', { timeout_seconds: 1 }))
    expect(failure).toMatchObject({
      code: 'TIMEOUT', message: 'execute_command: Process timeout after 1s (TIMEOUT)',
      data: { stdout: 'so far\n', stderr: '' },
    })
    expect(failure.data).toMatchObject({ exit_code: 124 })
    expect(failure.hint).toContain('set timeout_seconds above 1, at most 20.')
    const limits = { commandTimeoutMs: 200, maxCommandTimeoutMs: 200 }
    const users = await fail(executeCommand, command('sleep 60'), { limits })
    expect(users.hint).toContain('The limit of 0.2 s applies, whatever timeout_seconds says: only the user can raise it')
    expect(living()).toEqual([])
  })

  it('holds its default of 300 seconds, whatever other calls have', async () => {
    const limits = { commandTimeoutMs: 200, maxCommandTimeoutMs: 3_600_000 }
    expect(await run(executeCommand, command('sleep 0.4; echo ok'), { limits })).toMatchObject({ stdout: 'ok\n' })
    const script = { language: 'bash', script: 'sleep 0.4; echo ok' }
    expect(await fail(executeScript, script, { limits })).toMatchObject({
      code: 'TIMEOUT', hint: expect.stringContaining('set timeout_seconds above 0.2, at most 3600.') as string,
    })
    expect(await run(executeScript, { ...script, timeout_seconds: 5 }, { limits })).toMatchObject({ stdout: 'ok\n' })
  })

  it.each(['', ' ', '\n\t'])('refuses the empty command %j', async text => {
    expect(await fail(executeCommand, command(text))).toMatchObject({
      code: 'INVALID_PARAMETER', message: 'execute_command: command is empty',
    })
  })

  it('cannot hold a NUL', async () => {
    expect(await fail(executeCommand, command('echo \0'))).toMatchObject({
      code: 'INVALID_PARAMETER', message: 'execute_command: command must not contain NUL characters',
    })
  })

  it.each([
    [{ command: 'x'.repeat(8192) }, true],
    [{ command: 'x'.repeat(8193) }, false],
    [{ command: '😀'.repeat(8192) }, true],
    [{ command: 'x', timeout_seconds: 0 }, false],
    [{ command: 'x', timeout_seconds: 1 }, true],
    [{ command: 'x', timeout_seconds: 3600 }, true],
    [{ command: 'x', timeout_seconds: 3601 }, false],
    [{ command: 'x', timeout_seconds: 1.5 }, false],
    [{ command: 'x', env: { A: 1 } }, false],
    [{ command: 'x', env: [] }, false],
    [{ command: 'x', working_directory: '../x' }, false],
    [{ command: 'x', shell: 'bash' }, false],
    [{}, false],
  ])('case %# is valid: %2$s', (args, valid) => {
    expect(v.safeParse(executeCommand.args, args).success).toBe(valid)
  })

  it('defaults to 300 seconds', () => {
    expect(v.parse(executeCommand.args, { command: 'x' })).toEqual({ command: 'x', timeout_seconds: 300 })
  })
})

describe('execute_script', () => {
  it.each([
    ['bash', 'echo "é $0"', 'é bash\n'],
    ['python', 'import sys\nprint("é", sys.argv)', "é ['-c']\n"],
  ])('runs %s', async (language, script, stdout) => {
    expect(await run(executeScript, { language, script })).toEqual({ stdout, stderr: '', sandbox: 'none', exit_code: 0 })
  })

  it('gives PowerShell the script as a command', async () => {
    onlyPath([], { pwsh: 'printf "%s|" "$@"' })
    expect(await run(executeScript, { language: 'powershell', script: "Write-Output 'é'\n$x" }))
      .toMatchObject({ stdout: "-NoProfile|-NonInteractive|-Command|Write-Output 'é'\n$x|" })
  })

  it('says when PowerShell is missing', async () => {
    onlyPath([])
    const failure = await fail(executeScript, { language: 'powershell', script: 'x' })
    expect(failure).toMatchObject({ code: 'ENOENT', message: 'execute_script: pwsh not found in PATH (ENOENT)' })
    expect(failure.hint).toBe('Install powershell, or write the code in another language (bash, python).')
  })

  it.each(['bash', 'python'])('takes 65,536 characters of %s', async language => {
    const script = language === 'bash' ? 'echo ok #' : 'print("ok") #'
    const longest = script + '😀'.repeat(65_536 - script.length)
    expect(await run(executeScript, { language, script: longest })).toMatchObject({ stdout: 'ok\n' })
    expect(v.safeParse(executeScript.args, { language, script: `${longest}.` }).success).toBe(false)
  })

  it('reads a long script for PowerShell from a file', async () => {
    onlyPath([], { pwsh: 'printf "%s" "$4"' })
    const { stdout } = await run(executeScript, { language: 'powershell', script: '😀'.repeat(40_000) }) as ExecOutput
    expect(stdout).toMatch(/^\. \(\[scriptblock\]::Create\(\[IO\.File\]::ReadAllText\('.*'\)\)\)$/)
  })

  it('fails with its exit code', async () => {
    expect(await fail(executeScript, { language: 'python', script: 'raise ValueError("bad é")' })).toMatchObject({
      code: 'NONZERO_EXIT', message: 'execute_script: python exited with code 1',
      hint: 'stderr says: ValueError: bad é',
    })
  })

  it.each(['ruby', 'javascript', 'Bash', ''])('does not know %j', language => {
    expect(v.safeParse(executeScript.args, { language, script: 'x' }).success).toBe(false)
  })

  it('has a time limit in seconds', async () => {
    expect(await fail(executeScript, { language: 'bash', script: 'sleep 60', timeout_seconds: 1 }))
      .toMatchObject({ code: 'TIMEOUT', message: 'execute_script: Process timeout after 1s (TIMEOUT)' })
  })
})

describe.each<[AnyVerb, object]>([
  [executeCommand, { command: 'pwd' }], [executeScript, { language: 'bash', script: 'pwd' }],
])('the working directory of $name', (verb, args) => {
  it('is the root, or one below it', async () => {
    const root = tempDir()
    mkdirSync(join(root, 'a', 'b'), { recursive: true })
    expect(await run(verb, args, { root })).toMatchObject({ stdout: `${root}\n` })
    for (const directory of ['a/b', join(root, 'a', 'b'), '/workspace/a/b']) {
      expect(await run(verb, { ...args, working_directory: directory }, { root, aliases: ['/workspace'] }))
        .toMatchObject({ stdout: `${root}/a/b\n` })
    }
  })

  it('must be one inside the root', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'file'), '')
    const cases = [
      ['gone', 'ENOENT', `${verb.name}: working_directory 'gone' does not exist (ENOENT)`],
      ['file', 'ENOTDIR', `${verb.name}: working_directory 'file' is not a directory (ENOTDIR)`],
      ['/', 'POLICY_DENIED', 'Path is outside the root: /'],
    ] as const
    for (const [directory, code, message] of cases) {
      expect(await fail(verb, { ...args, working_directory: directory }, { root })).toMatchObject({ code, message })
    }
    expect(readdirSync(root)).toEqual(['file'])
  })
})

describe.each<[AnyVerb]>([[executeCommand], [executeScript]])('$name', verb => {
  it.each(verb.examples.map(example => [example]))('runs its example %j', async example => {
    expect(await run(verb, example)).toMatchObject({ exit_code: 0 })
  })

  it('starts nothing once it is cancelled', async () => {
    const root = tempDir()
    const args = verb === executeCommand ? { command: 'touch x' } : { language: 'bash', script: 'touch x' }
    expect(await fail(verb, args, { root, signal: AbortSignal.abort() })).toMatchObject({ code: 'CANCELLED' })
    expect(readdirSync(root)).toEqual([])
  })
})
