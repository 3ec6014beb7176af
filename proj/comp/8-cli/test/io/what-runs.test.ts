import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { describeWithTerminal, openTerminal } from '../../../../test/support/terminal.js'

const cli = useCli()
const SECRET = 'a-long-secret-0123456789'

function call(name: string, args: object): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
}

describeWithTerminal('what runs is shown at the terminal', () => {
  it('with its place among all, its last line, and after Ctrl-C what was stopped and how to go on', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'answer.md'), [
      call('write_file', { path: 'a.txt', content: 'a' }),
      call('execute_command', { command: `: ${SECRET}; printf 'one\\n10%%\\r\\033[2J20%% '; sleep 1000` }),
      call('write_file', { path: 'b.txt', content: 'b' }),
    ].join(''))
    const args = [cli.path, 'apply', 'answer.md', '--root', '.', '--sandbox', 'none', '--no-git', '--yes']
    const terminal = openTerminal(process.execPath, args, {
      cwd, columns: 60, env: { ...plainEnvironment(), NO_COLOR: '1', HOME: cwd, OUR_API_KEY: SECRET, npm_command: 'exec' },
    })
    const running = await terminal.waitFor(/^ {4}\\x1b\[2J20%$/m)
    expect(running).toMatch(/^. 2\/3 {2}execute_command {2}: /m)
    terminal.resize(40, 30)
    await terminal.waitFor((screen) => /^. 2\/3.{10,36}$/m.test(screen))
    terminal.type('\u0003')
    expect((await terminal.exited).exitCode).toBe(130)
    const left = terminal.everything().replaceAll(/\s*\n +┆ /g, ' ')
    expect(left).toContain('Stopped: b2 execute_command : ')
    expect(left).toContain('Not begun: b3\nWhat had run stays; npx hermes undo --root . takes it back.\n')
    expect(left).toMatch(/To go on.*\n {2}npx hermes apply --continue \S+ FILE --root \. --sandbox none --no-git$/s)
    expect(left).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u)
    expect(terminal.written()).not.toContain(SECRET.slice(0, 12))
  })

  it.each([
    ['a mended answer is the next', call('read_file', {}), '', 'With a mended answer:\n  hermes apply FILE'],
    ['the same one is, where the run was stopped', call('execute_command', { command: 'echo begun; sleep 1000' }), '\u0003',
      'To run it again:\n  hermes apply answer.md'],
  ])('where nothing was done, %s', async (_, answer, typed, next) => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'answer.md'), answer)
    const args = [cli.path, 'apply', 'answer.md', '--root-alias', '/my work', '--sandbox', 'none', '--yes']
    const terminal = openTerminal(process.execPath, args, { cwd, env: { ...plainEnvironment(), NO_COLOR: '1', HOME: cwd } })
    if (typed !== '') await terminal.waitFor(/^ {4}begun$/m)
    terminal.type(typed)
    await terminal.exited
    expect(terminal.everything()).toContain(`${next} --root-alias '/my work' --sandbox none`)
  })

  it('what failed is told to the model afterwards, as often as wanted, and nothing runs again', async () => {
    const cwd = tempDir()
    const made = call('write_file', { path: 'a.txt', content: 'a' })
    writeFileSync(join(cwd, 'answer.md'), `${made}${call('read_file', { path: 'none.txt' })}`)
    const open = (args: readonly string[]) => openTerminal(process.execPath, [cli.path, 'apply', ...args], {
      cwd, env: { ...plainEnvironment(), NO_COLOR: '1', HOME: cwd },
    })
    const first = open(['answer.md', '--no-git'])
    await first.exited
    const [, told = ''] = /^ {2}hermes apply (--continue \S+ --reply --no-git)$/m.exec(first.everything()) ?? []
    rmSync(join(cwd, 'a.txt'))
    for (let times = 0; times < 2; times++) {
      const again = open(told.split(' '))
      expect((await again.exited).exitCode).toBe(1)
      expect(again.everything()).toMatch(/DONE before, block b1 .*FAILED block b2 .*none\.txt/s)
    }
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
  })

  it('a paste that runs as it comes is said to', async () => {
    const cwd = tempDir()
    const terminal = openTerminal(process.execPath, [cli.path, 'apply', '-'], {
      cwd, columns: 200, env: { ...plainEnvironment(), NO_COLOR: '1', HOME: cwd },
    })
    await terminal.waitFor(/Each block runs once it is whole, and nobody is asked: hermes interactive waits/)
    terminal.type(`${call('write_file', { path: 'a.txt', content: 'a' })}`)
    await terminal.waitFor(/^✓ {2}b1 {3}write_file/m)
    terminal.type('\u0004')
    expect((await terminal.exited).exitCode).toBe(0)
  })

  it('of one envelope, too, and nothing of it is left', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'call.json'), JSON.stringify({ verb: 'exec', arguments: { lang: 'bash', code: 'echo begun; until [ -e go ]; do sleep 0.05; done' } }))
    const terminal = openTerminal(process.execPath, [cli.path, 'exec', 'call.json', '--sandbox', 'none'], {
      cwd, env: { ...plainEnvironment(), NO_COLOR: '1', HOME: cwd },
    })
    expect(await terminal.waitFor(/^ {4}begun$/m)).toMatch(/^. exec {2}bash: echo begun/m)
    writeFileSync(join(cwd, 'go'), '')
    expect((await terminal.exited).exitCode).toBe(0)
    expect(terminal.everything()).toMatch(/^\{\n/)
  })
})
