import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { readTree } from '../../../test/support/file-tree.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { shamBlock } from '../../1-registry/src/registry/index.js'

const cli = useCli()
const write = (id: string, path: string, content = 'é\n'): string => `${shamBlock(id, 'file_write', { path: `/w/${path}`, content })}\n`

/** `hermes apply -` with an input that the test writes as it likes. */
function start(cwd: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [cli.path, 'apply', '-', '--root-alias', '/w', ...args], {
    cwd, env: { ...plainEnvironment(), ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { stdout: '' }
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    printed.stdout += piece
  })
  // A program that ends early does not read its input.
  child.stdin.on('error', () => undefined)
  const ended = Promise.all([once(child, 'close'), text(child.stderr)])
    .then(([[exitCode], stderr]) => ({ exitCode: exitCode as number | null, stderr, stdout: printed.stdout }))
  return { child, printed, ended }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}

describe('standard input', () => {
  it('is run while it comes: a file is there, and told of, before the last byte was written', async () => {
    const cwd = tempDir()
    const { child, printed, ended } = start(cwd)
    const answer = Buffer.from(`Now.\n${write('one', 'a.txt')}${write('two', 'b.txt')}`)
    const first = Buffer.byteLength(`Now.\n${write('one', 'a.txt')}`)
    child.stdin.write(answer.subarray(0, first - 1))
    await sleep(50)
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
    // The line break of its end marker.
    child.stdin.write(answer.subarray(first - 1, first))
    await until(() => existsSync(join(cwd, 'a.txt')) && printed.stdout.includes('\n'))
    expect(printed.stdout).toBe('✓  one  file_write          a.txt  created, 3 B\n')
    // Bytes one by one: characters are cut.
    for (const byte of answer.subarray(first)) child.stdin.write(Uint8Array.of(byte))
    child.stdin.end()
    const { exitCode, stderr, stdout } = await ended
    expect({ exitCode, stderr, tree: readTree(cwd) }).toEqual({ exitCode: 0, stderr: '', tree: { 'a.txt': 'é\n', 'b.txt': 'é\n' } })
    expect(stdout.split('\n').at(-2)).toMatch(/^2 of 2 blocks succeeded/)
  })

  it.each<[string, readonly string[], number, Record<string, string>]>([
    ['--json', ['--json'], 1, { 'a.txt': 'é\n' }],
    ['--dry-run', ['--dry-run', '--json'], 1, {}],
    ['--atomic', ['--atomic', '--json'], 1, {}],
    ['--feedback', ['--feedback'], 1, { 'a.txt': 'é\n' }],
  ])('that is cut off, with %s, is accounted for', async (_, flags, code, tree) => {
    const cwd = tempDir()
    const { stdout, exitCode } = await cli.run(['apply', '--root-alias', '/w', ...flags], { cwd, input: `${write('one', 'a.txt')}${write('two', 'b.txt').slice(0, -20)}` })
    expect({ exitCode, tree: readTree(cwd) }).toEqual({ exitCode: code, tree })
    if (flags.includes('--json')) {
      expect(JSON.parse(stdout)).toMatchObject({
        totalBlocks: 2, results: [{ blockId: 'one', success: true }], parseErrors: [{ blockId: 'two', error: { code: 'UNCLOSED_HEREDOC' } }],
      })
    } else expect(stdout).toMatch(/^1 of 2 blocks succeeded, 1 did not parse\.\n\nNOT PARSED block two/)
  })

  it.each<[string, Buffer, string]>([
    ['wrong UTF-8', Buffer.from('b\xc3(', 'latin1'), 'is not valid UTF-8: line 9'],
    ['a NUL byte', Buffer.from('b\0'), 'is binary: a NUL byte in line 9'],
  ])('with %s after a block: what has run is told, nothing after it runs', async (_, bad, problem) => {
    const cwd = tempDir()
    const input = Buffer.concat([Buffer.from(write('one', 'a.txt')), bad, Buffer.from(`\n${write('two', 'b.txt')}`)])
    const { stdout, stderr, exitCode } = await cli.run(['apply', '--json', '--root-alias', '/w'], { cwd, input })
    expect(exitCode).toBe(2)
    expect(stderr.split('\n')[0]).toBe(`hermes: Standard input ${problem}`)
    expect(JSON.parse(stdout)).toMatchObject({
      success: false, totalBlocks: 1, fatalError: `The text broke off: Standard input ${problem}`, results: [{ blockId: 'one', success: true }],
    })
    expect(readTree(cwd)).toEqual({ 'a.txt': 'é\n' })
  })

  it('of one byte of UTF-16 at a time is told of', async () => {
    const { child, ended } = start(tempDir())
    for (const byte of Buffer.from('\ufeffhello', 'utf16le').subarray(0, 3)) {
      child.stdin.write(Uint8Array.of(byte))
      await sleep(10)
    }
    child.stdin.end()
    expect(await ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('hermes: Standard input is UTF-16\n') as string })
  })

  it.skipIf(process.platform === 'win32')('may be interrupted while it is waited for', async () => {
    const cwd = tempDir()
    const { child, printed, ended } = start(cwd)
    child.stdin.write(`${write('one', 'a.txt')}<tool_call>{"name":\n`)
    await until(() => printed.stdout.includes('\n'))
    child.kill('SIGINT')
    const { exitCode, stdout, stderr } = await ended
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' })
    expect(stdout).toMatch(/UNCLOSED_BLOCK[^]*fatal: Cancelled before the text had ended\ninterrupted · 1 of 2 blocks succeeded · 1 did not parse/)
    // The run has ended: another may begin.
    expect((await cli.run(['apply', '--root-alias', '/w'], { cwd, input: write('two', 'b.txt') })).exitCode).toBe(0)
  })

  describe('is not waited for where nothing can run', () => {
    const unended = async (cwd: string, args: readonly string[], env: Record<string, string>, input: string) => {
      const { child, ended } = start(cwd, args, env)
      // Never ended: the model still writes.
      if (input !== '') child.stdin.write(input)
      return ended
    }

    it('while another run works in the root, which is told beforehand', async () => {
      const cwd = tempDir()
      mkdirSync(join(cwd, '.hermes'))
      const owner = { id: 'x', pid: process.pid, host: hostname(), runId: 'other', since: new Date().toISOString() }
      writeFileSync(join(cwd, '.hermes', 'lock'), JSON.stringify(owner))
      const { child, ended } = start(cwd, ['--wait', '0'])
      const told = String(await once(child.stderr, 'data'))
      expect(told).toMatch(/^hermes: another run works in this root: other, process \d+ on \S+, for \d+ s\n {2}.*--wait SECONDS/)
      child.stdin.write(write('one', 'a.txt'))
      const { exitCode, stdout } = await ended
      expect(exitCode).toBe(2)
      expect(stdout).toMatch(/^fatal: Another run works in this root: other.*\n0 of 1 block succeeded · 1 failed/m)
      const { stderr } = await cli.run(['apply', '--root-alias', '/w', '--wait', '0.1'], { cwd, input: write('one', 'a.txt') })
      expect(stderr).toMatch(/^hermes: another run works in this root: .*\n {2}The first block that changes something waits for it: at most 0\.1 s\.\n$/)
    })

    it('after a hook before the run has failed', async () => {
      const home = tempDir()
      mkdirSync(join(home, '.hermes'))
      writeFileSync(join(home, '.hermes', 'config.yaml'), 'sandbox: none\nhooks:\n  before:\n    - name: clean\n      run: "exit 3"\n')
      const { exitCode, stdout } = await unended(tempDir(), [], { HOME: home }, write('one', 'a.txt'))
      expect(exitCode).toBe(2)
      expect(stdout).toMatch(/fatal: Nothing was run: hook clean exited with code 3/)
    })

    it('where the policy cannot be read: of an answer that was not read nothing else is said', async () => {
      const cwd = tempDir()
      writeFileSync(join(cwd, 'hermes.yaml'), 'verbs:\n  wirte: off\n')
      const { exitCode, stdout } = await unended(cwd, [], {}, '')
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: 'fatal: hermes.yaml:2:3: unknown name verbs.wirte; did you mean write?\n' })
      const { stdout: feedback } = await unended(cwd, ['--feedback'], {}, '')
      expect(feedback).toBe('No block was run.\n\nThe run was stopped: hermes.yaml:2:3: unknown name verbs.wirte; did you mean write?\n')
    })
  })

  it('of any length takes memory for one block only', async () => {
    const cwd = tempDir()
    const count = 1000
    const content = `${'x'.repeat(99)}\n`.repeat(400)
    // Every end of a piece is inside a block.
    const { child, ended } = start(cwd, [], { NODE_OPTIONS: '--max-old-space-size=48' })
    for (let number = 0; number < count; number++) {
      if (!child.stdin.write(write(`k${number}`, `${number % 3}.txt`, `${number}\n${content}`))) await Promise.race([once(child.stdin, 'drain'), ended])
    }
    child.stdin.end()
    const { exitCode, stdout, stderr } = await ended
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain('1000 of 1,000 blocks succeeded')
    expect(readFileSync(join(cwd, '0.txt'), 'utf8').startsWith('999\n')).toBe(true)
  })
})
