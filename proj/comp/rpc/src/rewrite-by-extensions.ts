import { userExtensions } from '../../config/src/index.js'
import { HermesError } from '../../contracts/src/index.js'
import { forwardedUi, Message, noUi, withExtension, type ExtensionUi } from '../../extension-host/src/index.js'
import { RpcError, type CallContext } from '../../json-rpc/src/index.js'
import { distrust, ownEnvironment } from '../../launcher/src/index.js'
import { nearest } from '../../text/src/index.js'
import type { ReadySession } from './ready-session.js'

/** As `hermes apply`: an extension's own time for its command. */
const LIMIT_MS = 60_000

/**
 * The text as extensions of the user's config leave it, one after the other; their dialogues go to the client.
 *
 * @param wanted `NAME:COMMAND`, or `NAME` of one that has a single command
 * @throws HermesError where one is not there or fails: then nothing is to run
 */
export async function rewriteByExtensions(
  text: string, wanted: readonly string[], context: CallContext, { settings, capabilities, log }: ReadySession,
): Promise<string> {
  if (wanted.length === 0) return text
  const { root, editFormats, startsInThink } = settings
  const known = await userExtensions()
  // All are looked up before one is started.
  const steps = wanted.map((written) => {
    const [, name = written, command] = /^([^:]*):(.*)$/s.exec(written) ?? []
    const extension = known.find((one) => one.name === name)
    if (extension) return { extension, command }
    const meant = nearest(name, known.map((one) => one.name))
    throw new HermesError('INVALID_OPTION', `Unknown extension: ${name}`, {
      hint: meant === undefined ? 'Extensions are named in ~/.hermes/config.yaml.' : `Did you mean ${meant}?`,
    })
  })
  const ui = capabilities.dialogues === true ? clientUi(context) : noUi('the client shows no dialogues of extensions')
  // Models write in the root: no program of that name is taken from there.
  distrust([root])
  let current = text
  for (const { extension: { name, command: program, env }, command } of steps) {
    const message = new Message({ text: current, editFormats, startsInThink })
    const options = {
      name, command: program, cwd: root, root, message, ui, env: ownEnvironment(env),
    }
    await withExtension(options, context.signal, log, async (host) => {
      const chosen = command ?? onlyCommand(name, host.introduction.capabilities?.commands)
      const { success, message: said } = await host.execute(chosen, {
        limitMs: LIMIT_MS, signal: context.signal, quietAfter: 'changes',
      })
      if (success) return
      throw new HermesError(
        'EXTENSION_FAILED', `Extension '${name}' failed at ${chosen}${said === undefined ? '' : `: ${said}`}`,
        { hint: 'Nothing was run.' },
      )
    })
    current = message.text
  }
  return current
}

function clientUi({ id, peer }: CallContext): ExtensionUi {
  return forwardedUi(async (method, params, signal) => {
    try {
      return await peer.request(method, { request: id, ...params }, { signal })
    } catch (error) {
      if (signal.aborted || !(error instanceof RpcError)) throw error
      throw new HermesError('NO_USER', `The client could not ask its user: ${error.message}`, {
        hint: 'Go on without the answer.', cause: error,
      })
    }
  })
}

function onlyCommand(name: string, commands: readonly string[] | undefined): string {
  const [only] = commands ?? []
  if (only !== undefined && commands?.length === 1) return only
  throw new HermesError('INVALID_OPTION', `Extension ${name} needs the name of a command`, {
    hint: `Write ${name}:COMMAND.${commands === undefined ? '' : ` Commands: ${commands.join(', ')}.`}`,
  })
}
