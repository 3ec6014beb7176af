import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { plainEnvironment } from '../../../../test/support/cli.js'
import { needing } from '../../../../test/support/needs.js'
import { useSshPlace } from '../../../../test/support/ssh-place.js'
import { openTerminal } from '../../../../test/support/terminal.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'

const launcher = fileURLToPath(new URL('../../../../../dist/cli.cjs', import.meta.url))

needing('ssh', 'node-pty').describe('a chat whose files are on another host', () => {
  const place = useSshPlace()
  const server = useModelServer()

  it('completes no paths of this machine, and tells the model where a command of the user ran', async () => {
    server.play('m', [say('I see.')])
    const places = Object.entries(process.env).flatMap(([name, value = '']) => (
      /^(?:TERMINAL_SSH_\w+|HERMES_HOME|PATH)$/.test(name) ? [[name, value]] : []
    ))
    const terminal = openTerminal(process.execPath, [launcher, 'chat', '--no-git'], {
      cwd: join(place.local, 'root'),
      env: {
        ...plainEnvironment(), ...Object.fromEntries(places), HOME: place.local, HERMES_MODEL: 'm',
        OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x', NO_COLOR: '1',
      },
    })
    await terminal.waitFor('/help shows the commands')
    terminal.type('!cat a.txt\r')
    await terminal.waitFor('exit 0')
    terminal.type('look at @a\t')
    terminal.type('b\r')
    await terminal.waitFor('I see.')
    const { messages } = server.requests('m')[0] ?? { messages: [] }
    const host = `${place.server.user}@127.0.0.1`
    expect(messages.at(-1)?.content).toBe('look at @ab\n\n[hermes: The user ran a command of their own on their own '
      + `machine, not on ${host} where you work: cat a.txt (exit 0). It printed:\nof this machine\n]`)
  })
})
