import { writeFileSync } from 'node:fs'
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
    const args = [cli.path, 'apply', 'answer.md', '--sandbox', 'none', '--no-git', '--yes']
    const terminal = openTerminal(process.execPath, args, {
      cwd, columns: 60, env: { ...plainEnvironment(), NO_COLOR: '1', HOME: cwd, OUR_API_KEY: SECRET },
    })
    const running = await terminal.waitFor(/^ {4}\\x1b\[2J20%$/m)
    expect(running).toMatch(/^. 2\/3 {2}execute_command {2}: /m)
    terminal.resize(40, 30)
    await terminal.waitFor((screen) => /^. 2\/3.{10,36}$/m.test(screen))
    terminal.type('\u0003')
    expect((await terminal.exited).exitCode).toBe(130)
    const left = terminal.everything().replaceAll(/\s*\n +┆ /g, ' ')
    expect(left).toContain('Stopped: b2 execute_command : ')
    expect(left).toContain('Not begun: b3\nWhat had run stays; hermes undo takes it back.\n')
    expect(left).toMatch(/To go on.*hermes apply/s)
    expect(left).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u)
    expect(terminal.written()).not.toContain(SECRET.slice(0, 12))
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
