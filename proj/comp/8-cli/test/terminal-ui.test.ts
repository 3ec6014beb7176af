import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const driver = fileURLToPath(new URL('drive-terminal.py', import.meta.url))
const cli = useCli()

type Step = readonly [waitFor: string, type: string]
interface Call { name: string; arguments: object }
interface Session { exit: number; output: string; left: Step[] }

/** `hermes apply`, or another command that takes an answer, at a pseudo terminal. */
async function atTerminal(
  calls: readonly Call[] | string, steps: readonly Step[], { command = 'apply', flags = [], env = {}, cwd = tempDir(), piped = false }: {
    command?: string; flags?: readonly string[]; env?: Record<string, string>; cwd?: string; piped?: boolean
  } = {},
): Promise<Session & { lines: string[] }> {
  writeFileSync(join(cwd, 'answer.md'), typeof calls === 'string' ? calls : calls.map(call => `<tool_call>${JSON.stringify(call)}</tool_call>\n`).join(''))
  const apply = [process.execPath, cli.path, command]
  const program = piped ? ['sh', '-c', 'cat answer.md | "$@"', 'sh', ...apply, ...flags] : [...apply, 'answer.md', ...flags]
  const options = { cwd, env: { ...plainEnvironment(), NO_COLOR: '1', TERM: 'xterm', ...env } }
  const session = await new Promise<Session>((resolve, reject) => {
    execFile('python3', [driver, JSON.stringify(steps), ...program], options, (error, stdout) => {
      if (error) reject(error)
      else resolve(JSON.parse(stdout) as Session)
    })
  })
  expect(session.left).toEqual([])
  // That a terminal marks what is pasted is switched on and off, and not seen.
  const output = session.output.replaceAll(/\x1b\[\?2004[hl]/g, '')
  return { ...session, output, lines: output.split(/\r?\n/) }
}

function ask(question: string, more: object = {}): Call {
  return { name: 'ask_user', arguments: { question, ...more } }
}

function confirm(description: string, destructive = false): Call {
  return { name: 'confirm_action', arguments: { action_description: description, destructive } }
}

function answers(session: Session): unknown[] {
  const json = session.output.slice(session.output.indexOf('\n{\r\n'))
  const { results } = JSON.parse(json) as { results: { data?: unknown; code?: string }[] }
  return results.map(({ data, code }) => data ?? code)
}

const JSON_FLAGS = { flags: ['--json'] }

describe.skipIf(process.platform === 'win32')('at a terminal', () => {
  it('ask_user takes a number, a text, and the default', async () => {
    const options = ['red', 'green', 'blue']
    const session = await atTerminal(
      [ask('Which?', { options }), ask('Which?', { options }), ask('Which?', { options, default_option: 'blue' }), ask('Free?')],
      [['text: ', '2\n'], ['text: ', 'RED\n'], ['text: ', '\n'], ['answer: ', 'any thing\n']], JSON_FLAGS,
    )
    expect(answers(session)).toEqual([{ answer: 'green' }, { answer: 'red' }, { answer: 'blue' }, { answer: 'any thing' }])
    expect(session.exit).toBe(0)
    expect(session.lines.slice(0, 6)).toEqual([
      expect.stringContaining('The model asks you:') as string, '  | Which?', '  | 1) red', '  | 2) green', '  | 3) blue',
      'Its number or text: 2',
    ])
  })

  it('options that are numbers are answered by their text', async () => {
    const session = await atTerminal([ask('How many?', { options: ['2', '1'] })], [['written: ', '1\n']], JSON_FLAGS)
    expect(answers(session)).toEqual([{ answer: '1' }])
    expect(session.output).toContain('  | - 2\r\n  | - 1\r\n')
  })

  it('asks again after a wrong answer, three times', async () => {
    const steps: Step[] = [['text: ', '9\n'], ['text: ', 'x\n'], ['text: ', '\n']]
    const session = await atTerminal([ask('Which?', { options: ['a', 'b'] })], steps, JSON_FLAGS)
    expect(answers(session)).toEqual(['NO_USER'])
    expect(session.lines.filter(line => line === 'Type a number from 1 to 2, or one of the texts.')).toHaveLength(2)
  })

  it('says what may be typed: other questions', async () => {
    const session = await atTerminal(
      [ask('How many?', { options: ['2', '1'] }), ask('Well?'), confirm('Remove the directory')],
      [['written: ', 'x\n'], ['written: ', '1\n'], ['answer: ', '\n'], ['answer: ', 'ok\n'], ['[y/N] ', 'ok\n'], ['[y/N] ', 'y\n']],
      JSON_FLAGS,
    )
    expect(answers(session)).toEqual([{ answer: '1' }, { answer: 'ok' }, { confirmed: true }])
    for (const help of ['Type one of the texts above, as it is written.', 'Type an answer.', 'Type y or n.']) {
      expect(session.lines).toContain(help)
    }
  })

  it('approvals: what is no answer is not taken for a no of the user', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'a'), 'a')
    const call = { name: 'delete_file', arguments: { path: 'a' } }
    const steps: Step[] = [['deny) ', 'y\n'], ['deny) ', 'yes\n'], ['deny) ', 'ok\n']]
    const { lines, output } = await atTerminal([call], steps, { cwd })
    expect(lines.filter(line => line === 'Type o, s, k, a or d.')).toHaveLength(2)
    expect(existsSync(join(cwd, 'a'))).toBe(true)
    expect(output).toContain('delete_file: the user was asked for an approval and gave no clear answer')
    expect(output).toContain('APPROVAL_DENIED')
    expect(output).not.toContain('does not want')
  })

  it('approvals: a long command is shown whole', async () => {
    const command = `rm -rf ./${'a'.repeat(1950)}\necho ${'b'.repeat(600)}\ngit push --force\nrm -rf src .important`
    const { lines } = await atTerminal([{ name: 'execute_command', arguments: { command } }], [['deny) ', '\n']])
    expect(lines).toContain('  | git push --force')
    expect(lines).toContain('  | rm -rf src .important')
  })

  it.each([['o\n', true], ['d\n', false]] as const)('approvals: what is longer than the terminal is shown page by page, and %j before its end allows nothing', async (reply, isAsked) => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'kept'), '')
    const echoes = Array.from({ length: 100 }, (_, line) => `echo line ${line}`)
    const command = [...echoes, 'rm -rf kept'].join('\n')
    const steps: Step[] = isAsked
      ? [['more) ', reply], ['more) ', '\n'], ['more) ', 'more\n'], ['deny) ', 's\n']] : [['more) ', '\n'], ['more) ', reply], ['nothing)? ', '\n']]
    const { lines, output } = await atTerminal([{ name: 'execute_command', arguments: { command } }], steps, { cwd, flags: ['--sandbox', 'none'] })
    expect(lines.includes('Type m or d.')).toBe(isAsked)
    expect(output.includes('Allow?')).toBe(isAsked)
    expect(existsSync(join(cwd, 'kept'))).toBe(!isAsked)
    if (isAsked) expect([...output.matchAll(/ {2}\| (echo line \d+)\r\n/g)].map(([, line]) => line)).toEqual(echoes)
    else expect(output).toContain('APPROVAL_DENIED')
  })

  it('approvals: always is not said to last longer than it does', async () => {
    const cwd = tempDir()
    for (const name of ['a', 'b']) writeFileSync(join(cwd, name), name)
    const calls = ['a', 'b'].map(name => ({ name: 'delete_file', arguments: { path: name } }))
    const { lines, exit } = await atTerminal(calls, [['deny) ', 'a\n'], ['deny) ', 'k\n']], { cwd })
    expect(exit).toBe(0)
    expect(lines).toContain('always: as session, nothing is stored.')

    const home = tempDir()
    mkdirSync(join(home, '.hermes'))
    writeFileSync(join(home, '.hermes/config.yaml'), 'sandbox: none\nverbs: { exec: ask }\n')
    const command = { name: 'execute_command', arguments: { command: 'rm -rf gone' } }
    const both = await atTerminal([command], [['deny) ', 'a\n']], { cwd, env: { HOME: home } })
    expect(both.lines).toContain('always: exactly this, from now on (stored in command_allowlist of your '
      + '~/.hermes/config.yaml); what else it is asked for, as session.')
    // Of the two reasons one is left.
    const later = await atTerminal([command], [['deny) ', 'o\n']], { cwd, env: { HOME: home } })
    expect(later.output).not.toContain('recursive delete')
    expect(later.lines).toContain('always: as session, nothing is stored.')
  })

  it('a text by standard input leaves nobody to ask, and says what would', async () => {
    const { output, exit } = await atTerminal([ask('Well?'), confirm('Remove the directory')], [], { piped: true })
    expect(exit).toBe(1)
    for (const verb of ['ask_user', 'confirm_action']) {
      expect(output).toContain(
        `${verb}: there is no user to ask while the text comes by standard input; give it as a file to be asked at the terminal`,
      )
    }
  })

  it('the end of the input is no answer, also to later questions', async () => {
    const session = await atTerminal(
      [ask('First?'), ask('Second?'), confirm('Remove the directory')], [['answer: ', '\u0004']], JSON_FLAGS,
    )
    expect(answers(session)).toEqual(['NO_USER', 'NO_USER', { confirmed: false }])
  })

  it('confirm_action takes only a yes', async () => {
    const calls = ['first', 'second', 'third'].map(name => confirm(`Remove the ${name} directory`, true))
    const session = await atTerminal(calls, [['[y/N] ', 'y\n'], ['[y/N] ', 'N\n'], ['[y/N] ', '\n']], JSON_FLAGS)
    expect(answers(session)).toEqual([{ confirmed: true }, { confirmed: false }, { confirmed: false }])
    expect(session.output).toContain('It says that this cannot be taken back.')
  })

  it('approvals hold once, or for the kind', async () => {
    const cwd = tempDir()
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(cwd, name), name)
    const calls = ['a', 'b', 'c', 'd'].map(name => ({ name: 'delete_file', arguments: { path: name } }))
    const session = await atTerminal(calls, [['deny) ', 'd\n'], ['nothing)? ', '\n'], ['deny) ', 'o\n'], ['deny) ', 'k\n']], { cwd })
    expect(session.exit).toBe(1)
    expect(['a', 'b', 'c', 'd'].filter(name => existsSync(join(cwd, name)))).toEqual(['a'])
    expect(session.output).toContain('hermes needs your approval:\r\n  | delete_file: ')
  })

  it('Ctrl-C ends the run', async () => {
    const session = await atTerminal([ask('Well?'), confirm('Remove the directory')], [['answer: ', '\u0003']])
    expect(session.exit).toBe(130)
    expect(session.output).not.toContain('confirm:')
    expect(session.output).toContain('CANCELLED')
  })

  it('no words of a model look like those of hermes', async () => {
    const question = `Fine?\nhermes needs your approval:\r\u001b[2K\u202eabc\u009b1m${' '.repeat(200)}Allow?`
    const session = await atTerminal([ask(question)], [['answer: ', 'ok\n']])
    const lines = session.lines.slice(1, session.lines.findIndex(line => line.startsWith('Your answer')))
    expect(lines.every(line => /^ {2}\| [^\u0000-\u001f\u007f-\u009f\u202e]*$/.test(line) && line.length < 200)).toBe(true)
    expect(lines.join('')).toContain('\\x1b[2K\\u202eabc\\x9b1m')
  })

  it('what was typed before the question is no answer', async () => {
    const slow = { name: 'exec', arguments: { lang: 'bash', code: 'sleep 0.5' } }
    const session = await atTerminal([slow, confirm('Remove the directory')], [['exec', 'y\n'], ['[y/N] ', 'n\n']], { flags: ['--sandbox', 'none'] })
    expect(session.output).toContain('Agree? [y/N] ')
  })

  it('the line of the running block is replaced by the question', async () => {
    const session = await atTerminal([ask('Well?')], [['answer: ', 'ok\n']])
    expect(session.lines[0]).toMatch(/^⠋ ask_user {2}Well\?\r[^]*\u001b\[J\rThe model asks you:$/)
    expect(session.lines.find(line => line.includes('b1') && line.includes('ask_user'))).toMatch(/^(?:[^]*\u001b\[J\r)?✓ /)
  })

  it('--yes approves, and confirms what can be taken back', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'a'), 'a')
    const session = await atTerminal(
      [{ name: 'delete_file', arguments: { path: 'a' } }, confirm('Rename the file'), confirm('Remove the directory', true), ask('Well?')],
      [['[y/N] ', 'n\n'], ['answer: ', 'fine\n']], { cwd, flags: ['--yes', '--json'] },
    )
    expect(existsSync(join(cwd, 'a'))).toBe(false)
    expect(answers(session).slice(1)).toEqual([{ confirmed: true }, { confirmed: false }, { answer: 'fine' }])
  })

  it('runs blocks of a format that is off where the user says so, and keeps the choice', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'hermes.yaml'), '# Ours.\nsandbox: auto # yes\n')
    const text = '<write_to_file>\n<path>a.txt</path>\n<content>\na\n</content>\n</write_to_file>\n'
    const left = await atTerminal(text, [['leave) ', '\n']], { cwd })
    expect([left.exit, existsSync(join(cwd, 'a.txt'))]).toEqual([1, false])
    expect(left.output).toContain('Not read without --dialect cline')
    const kept = await atTerminal(text, [['leave) ', 'k\n']], { cwd })
    expect([kept.exit, readFileSync(join(cwd, 'a.txt'), 'utf8')]).toEqual([0, 'a\n'])
    expect(readFileSync(join(cwd, 'hermes.yaml'), 'utf8')).toBe('# Ours.\nsandbox: auto # yes\ndialects:\n  - cline\n')
  })

  it.each([['y\n', 0], ['\n', 1]] as const)('mend --apply runs what was shown after a yes: %j', async (reply, exit) => {
    const text = '#! SHAM [@three-char-SHA-256: k7m]\naction = "file_write"\npath = "a.txt"\ncontent = "a"\n#!END_SHAM_k7m\n'
    const cwd = tempDir()
    const flags = ['--apply', '--relative-paths', '--yes']
    const session = await atTerminal(text, [['+#!SHAM [@three-char-SHA-256: k7m]', ''], ['[y/N] ', reply]], { command: 'mend', flags, cwd })
    expect([session.exit, existsSync(join(cwd, 'a.txt'))]).toEqual([exit, exit === 0])
    expect(readFileSync(join(cwd, 'answer.md'), 'utf8')).toBe(text)
  })

  it('nobody is asked under CI', async () => {
    const session = await atTerminal([ask('Well?')], [], { env: { CI: 'true' } })
    expect(session.exit).toBe(1)
    expect(session.output).toContain('there is no user to ask')
  })

  it('nobody is asked in a dry run', async () => {
    const session = await atTerminal([ask('Well?'), confirm('Remove the directory')], [], { flags: ['--dry-run'] })
    expect(session.exit).toBe(0)
  })
})

it('without a terminal --yes answers what it can', async () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'a'), 'a')
  const calls = [{ name: 'delete_file', arguments: { path: 'a' } }, confirm('Rename the file'), confirm('Remove it all', true), ask('?')]
  const input = calls.map(call => `<tool_call>${JSON.stringify(call)}</tool_call>\n`).join('')
  const { stdout } = await cli.run(['apply', '--json', '--yes'], { cwd, input })
  expect(stdout).toContain('confirm_action: there is no user to ask, and --yes confirms nothing that cannot be taken back')
  expect(stdout).toContain('ask_user: there is no user to ask, and --yes answers no question')
  expect(answers({ output: `\n${stdout.replaceAll('\n', '\r\n')}`, exit: 0, left: [] }).slice(1))
    .toEqual([{ confirmed: true }, 'NO_USER', 'NO_USER'])
  expect(existsSync(join(cwd, 'a'))).toBe(false)
})
