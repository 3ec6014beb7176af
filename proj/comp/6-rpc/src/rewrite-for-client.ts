import { userExtensions, type ConfiguredExtension } from '../../2-config/src/index.js'
import { HermesError } from '../../0-contracts/src/index.js'
import { forwardedUi, noUi, rewriteByExtensions as rewrite, type ExtensionUi } from '../../2-extensions/src/index.js'
import { RpcError, type CallContext } from '../../2-wire/src/index.js'
import { nearest } from '../../0-text/src/index.js'
import type { ReadySession } from './ready-session.js'

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
  const find = async (name: string): Promise<ConfiguredExtension> => {
    const extension = known.find((one) => one.name === name)
    if (extension) return extension
    const meant = nearest(name, known.map((one) => one.name))
    throw new HermesError('INVALID_OPTION', `Unknown extension: ${name}`, {
      hint: meant === undefined ? 'Extensions are named in ~/.hermes/config.yaml.' : `Did you mean ${meant}?`,
    })
  }
  return rewrite(text, wanted, find, {
    root, editFormats, startsInThink, signal: context.signal, warn: log, prefix: '', hint: 'Nothing was run.',
    ui: capabilities.dialogues === true ? clientUi(context) : noUi('the client shows no dialogues of extensions'),
  })
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
