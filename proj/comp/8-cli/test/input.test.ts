import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { readTree } from '../../../test/support/file-tree.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { shamBlock } from '../../1-registry/src/registry/index.js'

const cli = useCli()
const badLine = Buffer.from([0xc3, 0x28, 0x0a])
const answer = `${shamBlock('abc', 'file_write', { path: '/w/a.txt', content: 'é\n' })}\n`
const flags = ['--root', '.', '--root-alias', '/w']

describe('the input', () => {
  it.each([
    ['a NUL byte', Buffer.from('one\ntwo\0\n'), 'answer is binary: a NUL byte in line 2'],
    ['wrong UTF-8', Buffer.concat([Buffer.from(answer), badLine]), 'answer is not valid UTF-8: line 9'],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le'), 'answer is UTF-16'],
  ])('with %s is refused, and nothing runs', async (_, bytes, message) => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'answer'), bytes)
    const { stdout, stderr, exitCode } = await cli.run(['apply', 'answer', ...flags], { cwd })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(stderr.split('\n')[0]).toBe(`hermes: ${message}`)
    expect(Object.keys(readTree(cwd))).toEqual(['answer'])
    const piped = await cli.run(['apply', ...flags], { cwd, input: bytes })
    expect(piped.exitCode).toBe(2)
    expect(piped.stderr).toContain(`hermes: ${message.replace('answer', 'Standard input')}`)
  })

  it('may begin with a byte order mark', async () => {
    const cwd = tempDir()
    const { exitCode } = await cli.run(['apply', ...flags], { cwd, input: `\ufeff${answer}` })
    expect({ exitCode, tree: readTree(cwd) }).toEqual({ exitCode: 0, tree: { 'a.txt': 'é\n' } })
  })

  it('may be empty', async () => {
    const { stdout, stderr, exitCode } = await cli.run(['apply', '--json'], { cwd: tempDir() })
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ success: true, totalBlocks: 0 })
  })

  it('may be 50 MB of noise', async () => {
    const cwd = tempDir()
    const lines = `${'#! <tool <<EOT ``` ~~~ > - noise'.repeat(30)}\n`
    writeFileSync(join(cwd, 'noise'), lines.repeat(Math.ceil(50e6 / lines.length)) + answer)
    const { stderr, exitCode } = await cli.run(['apply', 'noise', '--feedback', ...flags], { cwd })
    expect({ stderr, exitCode, content: readTree(cwd)['a.txt'] }).toEqual({ stderr: '', exitCode: 0, content: 'é\n' })
  })

  it.skipIf(process.platform === 'win32')('may be a named pipe', async () => {
    const cwd = tempDir()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    const run = cli.run(['apply', 'pipe', ...flags], { cwd })
    const writer = spawn('sh', ['-c', 'cat > pipe'], { cwd })
    writer.stdin.end(answer)
    expect((await run).exitCode).toBe(0)
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('é\n')
  })

  it.runIf(process.getuid?.() === 0)('that may not be read is named', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'answer'), answer, { mode: 0o600 })
    for (const directory of [cwd, dirname(cli.path), dirname(dirname(cli.path))]) chmodSync(directory, 0o755)
    const child = spawn(process.execPath, [cli.path, 'apply', 'answer'], {
      cwd, env: { ...plainEnvironment(), HOME: cwd }, uid: 65534, gid: 65534,
    })
    const [stderr, stdout] = await Promise.all([text(child.stderr), text(child.stdout)])
    expect(stdout).toBe('')
    expect(stderr).toBe('hermes: Cannot read answer (EACCES)\n  Give a file that you may read.\n')
  })
})

describe('options that name places', () => {
  it('--allow opens another directory, and only that', async () => {
    const cwd = tempDir()
    for (const name of ['root', 'open', 'closed']) mkdirSync(join(cwd, name))
    const input = ['open', 'closed'].map((name, index) => (
      shamBlock(`ab${index}`, 'file_write', { path: join(cwd, name, 'x'), content: 'x' })
    )).join('\n')
    const { exitCode } = await cli.run(['apply', '--root', 'root', '--allow', 'open'], { cwd, input })
    expect(exitCode).toBe(1)
    expect(readTree(cwd)).toEqual({ 'root/': '', 'open/x': 'x', 'closed/': '' })
  })

  it.each([
    ['review', ['--root', 'none'], '--root: no such directory: none'], ['chat', ['-q', 'x', '--root', 'none'], '--root: no such directory: none'],
    ['cron', ['list', '--root', 'file'], '--root: not a directory: file'], ['review', ['--allow', 'none'], '--allow: no such directory: none'],
  ])('are looked at before %s %j begins', async (command, args, problem) => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'file'), '')
    const { exitCode, stdout, stderr } = await cli.run([command, ...args], { cwd })
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: `hermes: ${problem}\n  Give a directory that exists and that you may enter.\n` })
  })

  it.skipIf(process.platform === 'win32')('are none where the working directory is gone', async () => {
    const child = spawn('sh', ['-c', `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${cli.path}" config`], { cwd: tempDir(), env: plainEnvironment() })
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect({ exitCode: exitCode as number, stderr }).toEqual({ exitCode: 2, stderr: 'hermes: The working directory is gone\n  Change into one that exists: cd "$HOME"\n' })
  })

  it('name the nearest value of those there are', async () => {
    for (const [flag, written, hint] of [
      ['--edit-format', 'serch', 'Did you mean search-replace? There are: search-replace, v4a, unified, whole, cline, roo, bolt, dyad, '
        + 'lovable, file-path, functionary, gptme, tool-code, mini-swe-agent, swe-agent, smolagents, plandex, react, bare-json, '
        + 'pythonic, aider, continue, auto.'],
      ['--sandbox', 'nune', 'Did you mean none? There are: auto, bwrap, unshare, none.'], ['--match', 'exct', 'Did you mean exact? There are: exact, tolerant.'],
    ] as const) expect((await cli.run(['apply', flag, written], { cwd: tempDir() })).stderr).toContain(`: ${written}\n  ${hint}\n`)
  })

  it('--report FILE.json holds what --json prints', async () => {
    const cwd = tempDir()
    const args = ['apply', '--json', '--report', 'r.json', ...flags]
    const { stdout, exitCode } = await cli.run(args, { cwd, input: answer })
    expect(exitCode).toBe(0)
    expect(readTree(cwd)['r.json']).toBe(stdout)
  })

  it('a report that cannot be written is an error after the run', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'r.json'))
    const args = ['apply', '--report', 'r.json', ...flags]
    const { stdout, stderr, exitCode } = await cli.run(args, { cwd, input: answer })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('1 of 1 block succeeded')
    expect(stderr).toBe('hermes: Cannot write the report r.json (EISDIR)\n'
      + '  The blocks did run: do not run them again for the report. Use --json for the result next time.\n')
  })
})
