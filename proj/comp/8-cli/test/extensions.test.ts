import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { runExtensionGolden } from './run-extension-golden.js'
import { bodyOf, goldenRun } from './run-golden.js'

const driver = fileURLToPath(new URL('drive-terminal.py', import.meta.url))
const scripted = fileURLToPath(new URL('../../2-extensions/test/host/scripted-extension.mjs', import.meta.url))
const pointer = fileURLToPath(new URL('../../../../test-data/extensions/pointer.mjs', import.meta.url))
const cases = readGoldens(new URL('../test-data/extensions.cases.md', import.meta.url))
const cli = useCli()

type Step = readonly [waitFor: string, type: string]
type Request = readonly [method: string, params: object]

interface Terminal {
  cwd?: string
  env?: Record<string, string>
  /** It starts a process of its own, and is never done. */
  works?: boolean
  /** Another than `cwd`. */
  root?: string
}

/** An extension asks at a pseudo terminal. @returns what it was answered, and what the terminal showed */
async function atTerminal(requests: readonly Request[], steps: readonly Step[], { cwd = tempDir(), env = {}, works = false, root = cwd }: Terminal = {}) {
  const [script, log] = [join(cwd, '.steps'), join(cwd, '.received')]
  writeFileSync(script, [
    { await: 'initialize' }, { answer: 'initialize', result: { capabilities: { commandFinished: true } } }, { await: 'command/execute' },
    ...(works ? [{ child: 'detached' }] : []),
    ...requests.flatMap(([method, params], id) => [{ send: { id, method, params } }, { await: { id } }]),
    ...(works ? [] : [{ send: { method: 'command/finished', params: { executionId: 1 } } }]), { await: 'shutdown' }, { answer: 'shutdown', result: null }, { exit: 0 },
  ].map(step => `${JSON.stringify(step)}\n`).join(''))
  const program = [process.execPath, cli.path, 'ext', 'run', '--root', root, '--command', 'go', '--', process.execPath, scripted, script, log]
  const options = { cwd, env: { ...plainEnvironment(), NO_COLOR: '1', TERM: 'xterm', HOME: cwd, ...env } }
  const session = await new Promise<{ exit: number; output: string; left: Step[] }>((resolve, reject) => {
    execFile('python3', [driver, JSON.stringify(steps), ...program], options, (error, stdout) => {
      if (error) reject(error)
      else resolve(JSON.parse(stdout) as { exit: number; output: string; left: Step[] })
    })
  })
  expect({ left: session.left, output: session.left.length > 0 ? session.output : '' }).toEqual({ left: [], output: '' })
  const messages = readFileSync(log, 'utf8').trim().split('\n').map(line => JSON.parse(line) as { id?: number; method?: string; result?: unknown; error?: { message: string } })
  const answers = messages.filter(({ method, id }) => method === undefined && id !== undefined).map(({ result, error }) => result ?? error?.message)
  return { ...session, output: stripVTControlCharacters(session.output), answers }
}

describe.skipIf(process.platform === 'win32')('dialogues at a terminal', () => {
  it('a message is shown, a confirmation answered; Enter alone is no', async () => {
    const ask = ['ui/showConfirm', { message: 'Sure?\n\u001b[2Jgone', title: 'Careful' }] as const
    const { answers, output, exit } = await atTerminal(
      [['ui/showMessage', { message: 'Hello' }], ask, ask, ask],
      [['● No', 'y'], ['● No', '\r'], ['● No', '\u001b']],
    )
    expect(answers).toEqual([{ acknowledged: true }, { confirmed: true }, { confirmed: false }, { confirmed: false }])
    expect(output).toContain('  | Careful\r\n  | Sure?\r\n  | \\x1b[2Jgone\r\n')
    expect(exit).toBe(0)
  })

  it('paths are completed, filtered and chosen', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'deep', 'deeper'), { recursive: true })
    for (const name of ['notes.md', 'notes.txt', 'other.md', 'bad\u001b[2J.md', 'deep/inside.md']) writeFileSync(join(cwd, name), '')
    const { answers, output } = await atTerminal([
      ['ui/openFile', { title: 'Which?', filters: [{ name: 'Markdown', extensions: ['md'] }] }],
      ['ui/openFile', { defaultPath: 'deep' }],
      ['ui/saveFile', { defaultName: 'new.md' }],
      ['ui/selectDirectory', {}],
      ['ui/openFiles', {}],
      ['ui/openFile', {}],
    ], [
      // What is waited for comes once in what is drawn anew.
      ['deep/', 'no'], ['notes.md', '\r'],
      ['inside.md', 'ins'], ['inside.md', '\r'],
      ['(new)', '\r'],
      ['deep/', 'deep/deeper'], ['deeper)', '\r'],
      ['◆  Open files', 'oth'], ['other.md', '\r'], ['◆  Another file', 'notes.t'], ['notes.txt', '\r'],
      ['◆  Another file', '\u001b'], ['◆  Open a file', '\u001b'],
    ], { cwd })
    expect(answers).toEqual([
      { path: join(cwd, 'notes.md') }, { path: join(cwd, 'deep', 'inside.md') }, { path: join(cwd, 'new.md') },
      { path: join(cwd, 'deep', 'deeper') }, { paths: [join(cwd, 'other.md'), join(cwd, 'notes.txt')] }, { path: null },
    ])
    // What a terminal would obey is not shown, nor what the filter leaves out.
    expect(output).not.toContain('bad')
    expect(output.slice(0, output.indexOf('inside.md'))).not.toContain('notes.txt')
  })

  it('a window is opened when the user agrees, and its page served', async () => {
    const cwd = tempDir()
    const bin = tempDir()
    // The browser: it fetches what it is told to show.
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${cwd}/opened\ncase $1 in http://127*) exec python3 -c 'import sys,urllib.request as r; r.urlopen(sys.argv[1] + "message", b"[1]"); print(r.urlopen(sys.argv[1]).read().decode())' "$1" >> ${cwd}/opened;; esac\n`)
    chmodSync(join(bin, 'xdg-open'), 0o755)
    const { answers } = await atTerminal(
      [['ui/openWindow', { url: 'https://example.org/' }], ['ui/openWindow', { url: 'https://example.org/' }], ['ui/openWindow', { html: '<p>page', title: 'Page' }], ['ui/closeWindow', { windowId: 'w2' }]],
      [['● No', 'n'], ['● No', 'y'], ['● No', 'y']],
      { cwd, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } },
    )
    expect(answers).toEqual(['The user did not want the window', { windowId: 'w1' }, { windowId: 'w2' }, { success: false }])
    const opened = readFileSync(join(cwd, 'opened'), 'utf8').trim().split('\n')
    expect(opened.toSorted()).toEqual(['<p>page', expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{36}\/$/), 'https://example.org/'])
    // What the page said, before the window was closed.
    expect(readFileSync(join(cwd, '.received'), 'utf8')).toContain('"ui/windowMessage","params":{"windowId":"w2","data":[1]}}\n')
  })

  it('Ctrl-C in a dialogue interrupts', async () => {
    const { exit, answers, output } = await atTerminal([['ui/showConfirm', { message: 'x' }]], [['● No', '\u0003']])
    expect({ exit, answers }).toEqual({ exit: 130, answers: ['The dialogue was cancelled'] })
    expect(output).toContain('hermes: The command was interrupted')
    expect((await atTerminal([['ui/openFile', {}]], [['Open a file', '\u0003']])).exit).toBe(130)
  })

  it('a path is relative to the root, and holds nothing that the terminal would obey', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'here.md'), '')
    const { answers, output } = await atTerminal([
      ['ui/openFile', { defaultPath: 'x\u001b[2J' }], ['ui/saveFile', { defaultName: '\u202egnp.sh' }], ['ui/openFile', {}],
    ], [['here.md', '\u0015'], ['Search:', 'he'], ['here.md', '\r']], { root })
    expect(answers).toEqual([
      expect.stringContaining('defaultPath: '), expect.stringContaining('defaultName: '), { path: join(root, 'here.md') },
    ])
    expect(output).not.toContain('\u202e')
  })

  it('Ctrl-C while it works ends it, and leaves nothing of it', async () => {
    const cwd = tempDir()
    const { exit, output } = await atTerminal([['ui/showMessage', { message: 'working' }]], [['working', '\u0003']], { cwd, works: true })
    expect(exit).toBe(130)
    expect(output).toContain('hermes: The command was interrupted')
    const [child] = readFileSync(join(cwd, '.received.pids'), 'utf8').split('\n')
    await expect.poll(() => existsSync(`/proc/${child}/exe`)).toBe(false)
  })
})

it.skipIf(process.platform === 'win32')('a program given by its path is found from where the user stands', async () => {
  const [cwd, root] = [tempDir(), tempDir()]
  writeFileSync(join(cwd, 'tool.sh'), `#!/bin/sh\nexec '${process.execPath}' '${pointer}'\n`)
  chmodSync(join(cwd, 'tool.sh'), 0o755)
  const { stdout, stderr } = await cli.run(['ext', 'run', '--root', root, '--', './tool.sh'], { cwd })
  expect({ stdout: stdout.split('\n')[0], stderr }).toEqual({ stdout: 'pointer 1.2: Points elsewhere', stderr: '' })
  // What is printed may be written back: the byte order mark stays.
  writeFileSync(join(cwd, 'answer.md'), '\ufeffsee /old/a\n')
  const pointed = execFileSync(
    process.execPath, [cli.path, 'ext', 'run', '--root', root, '--command', 'point', '--message', 'answer.md', '--', './tool.sh'],
    { cwd, env: plainEnvironment(), encoding: 'utf8' },
  )
  expect(pointed).toBe('\ufeffsee /w/a\n')
})

describe.skipIf(process.platform === 'win32')('signals', () => {
  /** Sends each signal when its text is on standard error. */
  async function signalled(steps: readonly (readonly [text: string, signal: NodeJS.Signals])[]) {
    const cwd = tempDir()
    const [script, log] = [join(cwd, '.steps'), join(cwd, '.received')]
    writeFileSync(script, [
      { ignore: 'SIGTERM' }, { child: 'attached' }, { child: 'detached' }, { await: 'initialize' }, { answer: 'initialize', result: null },
      { await: 'command/execute' }, { log: 'working\n' }, { await: 'shutdown' }, { log: 'asked to end\n' },
      ...(steps.length > 1 ? [] : [{ answer: 'shutdown', result: null }, { exit: 0 }]),
    ].map(step => `${JSON.stringify(step)}\n`).join(''))
    const program = ['ext', 'run', '--log', '--command', 'go', '--', process.execPath, scripted, script, log]
    const hermes = spawn(process.execPath, [cli.path, ...program], { cwd, env: plainEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    const left = [...steps]
    hermes.stderr.on('data', (piece: Buffer) => {
      said += String(piece)
      while (left[0] && said.includes(left[0][0])) hermes.kill(left.shift()?.[1])
    })
    const [exit] = await once(hermes, 'exit') as [number | null]
    const pids = readFileSync(`${log}.pids`, 'utf8').trim().split('\n')
    await expect.poll(() => pids.filter(pid => existsSync(`/proc/${pid}/exe`))).toEqual([])
    return exit
  }

  it('a second one ends hermes at once, and the extension with it', async () => {
    expect(await signalled([['working', 'SIGTERM'], ['asked to end', 'SIGINT']])).toBe(143)
  })

  it('SIGQUIT ends the extension too', async () => {
    expect(await signalled([['working', 'SIGQUIT']])).toBe(131)
  })
})

it('a text that cannot be read ends as with every command', async () => {
  const { exitCode, stderr } = await cli.run(['ext', 'run', '--command', 'go', '--message', 'none.md', '--', process.execPath, scripted], { cwd: tempDir() })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('hermes: No such file: none.md\n')])
})

describe.each([...new Set(cases.map(({ group }) => group))])('%s', group => {
  it.each(cases.filter(one => one.group === group))('$name', async golden => {
    const { exit, before = {}, after = {} } = goldenRun(golden)
    const outcome = await runExtensionGolden(cli, golden, tempDir())
    expect({ ...outcome, stdout: lines(outcome.stdout), stderr: lines(outcome.stderr) }).toEqual({
      exitCode: exit, after: { ...before, ...after }, stdout: expected(bodyOf(golden, 'stdout')), stderr: expected(bodyOf(golden, 'stderr')),
    })
  })
})

function lines(text: string): string[] {
  return text.split('\n')
}

/** A missing fence means no output. */
function expected(body: string | undefined): string[] {
  return body === undefined ? [''] : [...lines(body), '']
}

it('a recording holds what the model wrote, what ran, and who changed it, and replays what ran', async () => {
  const [home, root, out] = [tempDir(), tempDir(), tempDir()]
  const file = join(out, 'run.jsonl')
  mkdirSync(join(home, '.hermes'))
  writeFileSync(join(home, '.hermes', 'config.yaml'), `extensions:\n  mine: { command: node, args: [${JSON.stringify(pointer)}] }\n`)
  const original = '#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "/old/a.txt"\ncontent = "x"\n#!END_SHAM_abc\n'
  writeFileSync(join(out, 'answer.md'), original)
  const at = { cwd: root, env: { HOME: home } }
  await cli.run(['apply', join(out, 'answer.md'), '--root', root, '--root-alias', '/w', '--extension', 'mine:point', '--record', file], at)
  const events = readFileSync(file, 'utf8').trim().split('\n').map(line => JSON.parse(line) as { type: string })
  expect(events.find(({ type }) => type === 'answer')).toMatchObject({ text: original.replace('/old', '/w'), original })
  expect(events.find(({ type }) => type === 'end')).toMatchObject({ rewrites: [{ extension: 'mine', version: '1.2', command: 'point' }] })
  expect(await cli.run(['replay', file], { cwd: out, env: { HOME: tempDir() } })).toMatchObject({ exitCode: 0 })
})
