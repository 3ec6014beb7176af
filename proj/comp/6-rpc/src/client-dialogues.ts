import { HermesError } from '../../0-contracts/src/index.js'
import { forwardedUi, noUi, type ExtensionUi } from '../../2-extensions/src/index.js'
import { RpcError, type CallContext } from '../../2-wire/src/index.js'
import type { ReadySession } from './ready-session.js'

/** Who answers dialogues of extensions: the client, where it can. */
export function clientDialogues(
  { id, peer }: CallContext, { capabilities }: Pick<ReadySession, 'capabilities'>,
): ExtensionUi {
  if (capabilities.dialogues !== true) return noUi('the client shows no dialogues of extensions')
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
