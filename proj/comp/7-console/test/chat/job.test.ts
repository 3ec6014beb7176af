import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { plainEnvironment } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { describeWithTerminal, openTerminal } from '../../../../test/support/terminal.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'

const launcher = fileURLToPath(new URL('../../../../../dist/cli.cjs', import.meta.url))

describeWithTerminal('hermes chat as the job of a shell', () => {
  const server = useModelServer()

  it('stops with what started it, goes on, takes a megabyte at once, and keeps no secrets', async () => {
    const home = tempDir()
    mkdirSync(join(home, '.hermes'), { mode: 0o700 })
    writeFileSync(join(home, '.hermes/chat_history'), '"cut o\n')
    writeFileSync(join(home, 'README.md'), '# Mine\n')
    server.play('m', [say('It came.'), say('Keep it to yourself.')])
    const terminal = openTerminal('bash', ['--norc', '--noprofile', '-i'], {
      cwd: home, columns: 70, rows: 20, env: {
        ...plainEnvironment(), HOME: home, PS1: '$ ', NODE: process.execPath, HERMES: launcher, HERMES_MODEL: 'm',
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: 'x', NO_COLOR: '1', HISTFILE: '',
      },
    })
    terminal.type('sh -c \'"$NODE" "$HERMES" chat --no-git; echo left with $?\'\r')
    await terminal.waitFor(/^>/m)
    terminal.type('\u001a')
    await terminal.waitFor('Stopped')
    terminal.type('echo the shell is here\r')
    await terminal.waitFor(/^the shell is here/m)
    terminal.type('fg\r')
    await terminal.waitFor(/^>/m)
    const text = Array.from(
      { length: 20_000 }, (_, index) => `line ${index} of what was pasted, with some words\n`,
    ).join('')
    terminal.paste(text)
    terminal.type('end')
    await terminal.waitFor(/^ {2}line 19999[^]*\n {2}end/m)
    terminal.type('\u007f\u007fE\r')
    await terminal.waitFor('It came.')
    expect(server.requests('m')[0]?.messages.at(-1)?.content).toBe(`${text}eE`)
    terminal.type('it is ghp_0123456789abcdefghijklmnopqrstuvwxyz\r')
    await terminal.waitFor('Keep it')
    terminal.type('/save README.md\r')
    await terminal.waitFor('is no training data')
    terminal.type('\u0004')
    await terminal.waitFor('left with 0')
    expect(readFileSync(join(home, 'README.md'), 'utf8')).toBe('# Mine\n')
    expect(readFileSync(join(home, '.hermes/chat_history'), 'utf8')).not.toContain('ghp_0123')
  })
})
