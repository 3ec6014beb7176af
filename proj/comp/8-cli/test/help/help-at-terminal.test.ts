import { join } from 'node:path'
import { expect } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { needing } from '../../../../test/support/needs.js'
import { startTerminal, type TestTerminal } from '../../../../test/support/pty-screen.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()

function helpAtTerminal(topic: string, env: Record<string, string>): TestTerminal {
  const cwd = tempDir()
  return startTerminal(process.execPath, [cli.path, 'help', topic], {
    cwd, columns: 60, rows: 20, env: { ...plainEnvironment(), HERMES_HOME: join(cwd, 'home'), ...env },
  })
}

needing('node-pty').it('a long page goes through the pager of the user, as the chat shows Markdown', async () => {
  const terminal = helpAtTerminal('policy', { PAGER: 'sed "s/^/|/"; read line < /dev/tty' })
  try {
    await terminal.waitFor(/See also [^]*,[\s|]+setup/)
    terminal.type('\r')
    expect(await terminal.exited).toMatchObject({ exitCode: 0 })
    const lines = terminal.everything().split('\n')
    expect(lines[0]).toBe('|  Policy files')
    expect(lines.filter((line) => line.trim() !== '' && !line.startsWith('|')).length).toBeLessThan(3)
    expect(terminal.written()).toContain('\x1b[1mPolicy files')
    expect(terminal.everything()).toMatch(/^\|\s+See also \(hermes help TOPIC\): /m)
  } finally {
    terminal.close()
  }
})

needing('node-pty').it.each(['no-such-pager', ' ', 'exit 3'])('without a pager (%j), and without colours, it is printed as plain text', async (pager) => {
  const terminal = helpAtTerminal('policy', { PAGER: pager, NO_COLOR: '1' })
  try {
    expect(await terminal.exited).toMatchObject({ exitCode: 0 })
    expect(terminal.everything()).toMatch(/^Policy files\n=+\n/m)
    expect(terminal.written()).not.toContain('\x1b[1m')
  } finally {
    terminal.close()
  }
})
