import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { extensionUi } from '../../2-extensions/src/index.js'
import { withKeys } from '../../2-terminal/src/index.js'
import { describeWithTerminal, openTerminal, type TestTerminal } from '../../../test/support/terminal.js'

const pointer = fileURLToPath(new URL('../../../../test-data/extensions/pointer.mjs', import.meta.url))
const cli = useCli()
const WAIT = 'touch begun; while [ ! -e go ]; do sleep 0.05; done'

/** A terminal in a directory with a home, where something waits until the file `go` is there. */
function waiting(program: string, args: readonly string[], cwd: string): TestTerminal {
  mkdirSync(join(cwd, 'home/.hermes'), { recursive: true, mode: 0o700 })
  writeFileSync(join(cwd, 'home/.hermes/.env'), 'A_KEY=x\n', { mode: 0o600 })
  return openTerminal(program, args, { cwd, env: { ...plainEnvironment(), HOME: join(cwd, 'home'), NO_COLOR: '1' } })
}

/** Types before the question, sees that the terminal has it, and lets the question come. */
async function typeBefore(terminal: TestTerminal, cwd: string, keys: string): Promise<void> {
  await vi.waitFor(() => expect(existsSync(join(cwd, 'begun'))).toBe(true), { timeout: 60_000 })
  terminal.type(keys)
  // What shows what runs takes the echo from the screen again.
  await vi.waitFor(() => expect(terminal.written()).toContain(keys.trim()), { timeout: 60_000 })
  writeFileSync(join(cwd, 'go'), '')
}

it('what was typed before the question of an extension was drawn does not answer it', async () => {
  const [keys, shown] = [new PassThrough(), new PassThrough()]
  const drawn: string[] = []
  shown.on('data', (piece: Buffer) => drawn.push(String(piece)))
  const ui = extensionUi(undefined, {
    input: keys as unknown as NodeJS.ReadStream, output: shown as unknown as NodeJS.WriteStream, withKeys,
    // Typed when all that stands above the question is there, and the question is not.
    print: () => void keys.write('y\r'),
  })
  const context = { extension: 'x', root: tempDir(), signal: new AbortController().signal, onWindowMessage: () => undefined }
  const asked = ui.request('ui/showConfirm', { message: 'Sure?' }, context)
  await vi.waitFor(() => expect(drawn.join('')).toContain('● No'))
  keys.write('\r')
  expect(await asked).toEqual({ confirmed: false })
})

describeWithTerminal('what was typed before a question was shown', () => {
  it.each(['always', 'session', 'once\r'])('answers no approval: %j', async (keys) => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'root/kept'), { recursive: true })
    const call = (command: string) => `<tool_call>${JSON.stringify({ name: 'execute_command', arguments: { command } })}</tool_call>\n`
    writeFileSync(join(cwd, 'answer.md'), call(`cd ..; ${WAIT}`) + call('rm -rf kept'))
    const terminal = waiting(process.execPath, [cli.path, 'apply', 'answer.md', '--root', 'root', '--sandbox', 'none', '--no-git'], cwd)
    await typeBefore(terminal, cwd, keys)
    await terminal.waitFor('(Enter: deny)')
    terminal.type('\r')
    await terminal.exited
    expect(terminal.everything()).toContain('APPROVAL_DENIED')
    expect([existsSync(join(cwd, 'root/kept')), existsSync(join(cwd, 'home/.hermes/config.yaml'))]).toEqual([true, false])
  })

  it.each([
    ['a line', (terminal: TestTerminal) => terminal.paste('once\n')],
    ['lines, the last one typed', (terminal: TestTerminal) => terminal.paste('x\nonce\nonce')],
    ['with a mark of its end', (terminal: TestTerminal) => terminal.type('\x1b[200~x\x1b[201~\ronce\ronce\x1b[201~\r')],
    ['without marks', (terminal: TestTerminal) => terminal.type('x\ronce\ronce\r')],
  ])('nor does what is pasted: %s', async (_, paste) => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'kept'))
    writeFileSync(join(cwd, 'answer.md'), '<tool_call>{"name":"execute_command","arguments":{"command":"rm -rf kept"}}</tool_call>\n')
    const terminal = waiting(process.execPath, [cli.path, 'apply', 'answer.md', '--sandbox', 'none', '--no-git'], cwd)
    await terminal.waitFor('(Enter: deny)')
    paste(terminal)
    await terminal.waitFor('What is pasted answers nothing. Type o, s, k, a or d.')
    expect(existsSync(join(cwd, 'kept'))).toBe(true)
    terminal.type('o\r')
    expect((await terminal.exited).exitCode).toBe(0)
    expect(existsSync(join(cwd, 'kept'))).toBe(false)
  })

  it('nor what is pasted after the shell had the terminal, which takes marks off: the question is shown again', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'kept'))
    writeFileSync(join(cwd, 'answer.md'), '<tool_call>{"name":"execute_command","arguments":{"command":"rm -rf kept"}}</tool_call>\n')
    const shell = ['-c', String.raw`set -m; "$@"; printf '\033[?2004lstopped\n'; fg`, 'bash']
    const terminal = waiting('bash', [...shell, process.execPath, cli.path, 'apply', 'answer.md', '--sandbox', 'none', '--no-git'], cwd)
    await terminal.waitFor('(Enter: deny)')
    terminal.type('\x1a')
    await terminal.waitFor(/stopped[^]*rm -rf kept\n[^]*\(Enter: deny\)/)
    terminal.paste('once\n')
    await terminal.waitFor('What is pasted answers nothing. Type o, s, k, a or d.')
    expect(existsSync(join(cwd, 'kept'))).toBe(true)
    terminal.type('\r')
    await terminal.exited
    expect(existsSync(join(cwd, 'kept'))).toBe(true)
  })

  it.each(['yes', 'y\r'])('answers no question of yes or no: %j', async (keys) => {
    const cwd = tempDir()
    const terminal = waiting('sh', ['-c', `${WAIT}; exec "$@"`, 'sh', process.execPath, cli.path, 'uninstall'], cwd)
    await typeBefore(terminal, cwd, keys)
    await terminal.waitFor('[y/N]')
    terminal.type('\r')
    await terminal.exited
    expect(existsSync(join(cwd, 'home/.hermes/.env'))).toBe(true)
  })

  it.each(['y', 'y\r'])('answers no dialogue of an extension: %j', async (keys) => {
    const cwd = tempDir()
    const extension = ['sh', '-c', `${WAIT}; exec "$@"`, 'sh', process.execPath, pointer]
    const terminal = waiting(process.execPath, [cli.path, 'ext', 'run', '--command', 'ask', '--', ...extension], cwd)
    await typeBefore(terminal, cwd, keys)
    await terminal.waitFor('● No')
    terminal.type('\r')
    expect((await terminal.exited).exitCode).toBe(0)
    expect(terminal.everything()).toContain('ask: left alone')
  })

  it('leaves the terminal as it was: Ctrl-C ends the run at the question', async () => {
    const cwd = tempDir()
    const terminal = waiting('sh', ['-c', `${WAIT}; exec "$@"`, 'sh', process.execPath, cli.path, 'uninstall'], cwd)
    await typeBefore(terminal, cwd, 'y')
    await terminal.waitFor('[y/N]')
    terminal.type('\u0003')
    await terminal.waitFor('^C')
    expect((await terminal.exited).exitCode).toBe(130)
    expect(existsSync(join(cwd, 'home/.hermes/.env'))).toBe(true)
  })
})
