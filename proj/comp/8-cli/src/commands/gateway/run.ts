import { once } from 'node:events'
import { join } from 'node:path'
import { openSessionStore } from '../../../../6-agent/src/index.js'
import { Gateway, gatewayAdapters } from '../../../../7-services/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { conversationScheduler } from '../../setup/conversation-scheduler-setup.js'
import { agentSetup, tellNotes } from '../../setup/agent-setup.js'
import type { Arguments } from '../../arguments.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, print, printError } from '../../io/output.js'
import { portFlag } from '../../setup/port-flag.js'

/**
 * `hermes gateway`: runs adapters in the foreground until a signal; then waits for turns to end, at most half a minute.
 */
export async function gateway(args: Arguments): Promise<number> {
  const setup = await agentSetup(args)
  tellNotes(setup)
  const { settings, options } = setup
  const adapters = gatewayAdapters(settings, args.values('adapter'))
  const { host, port, turn_time: turnTimeMs } = settings.gateway
  const running = new Gateway({
    adapters, agent: options, directory: join(settings.home, 'gateway'), turnTimeMs,
    scheduler: settings.gateway.cron === true ? (chat) => conversationScheduler(setup, chat) : undefined,
    sessions: openSessionStore({ directory: join(settings.home, 'sessions') }),
    host: args.value('host') ?? host, port: portFlag(args) ?? port,
    log: (line) => printError(`${escapeControls(line)}\n`),
  })
  const interrupt = interruptible()
  await interrupt.during(async () => {
    await running.start()
    print(`hermes gateway: ${adapters.map(({ name, path }) => `${name} at ${running.url}${path}`).join(', ')}. `
      + `Ctrl-C ends it.\n`)
    if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort')
    printError('Ending: waiting for turns that are being worked on; Ctrl-C again ends at once.\n')
    await running.close()
  })
  return interrupt.exitCode ?? EXIT.ok
}
