import { HermesError } from '../../../0-contracts/src/index.js'
import { RpcError } from '../../../2-wire/src/index.js'
import { EXTENSION_ERRORS, type ExtensionRequests, type UiMethod } from '../kit/index.js'
import type { ExtensionUi, UiContext } from './ui-port.js'

type Handler<Method extends UiMethod> = (
  params: ExtensionRequests[Method]['params'], context: UiContext,
) => ExtensionRequests[Method]['result'] | Promise<ExtensionRequests[Method]['result']>

/** The dialogues that a program shows for extensions; what is left out is refused. */
export type DialogueHandlers = { readonly [Method in UiMethod]?: Handler<Method> }

/** The user as a program reaches him: one function a dialogue. What a function throws is what the extension is told. */
export function dialogueUi(handlers: DialogueHandlers): ExtensionUi {
  return {
    async request(method, params, context) {
      const handle = Object.hasOwn(handlers, method) ? handlers[method] : undefined
      if (!handle) throw new HermesError('NO_USER', `${method}: the program that runs this extension does not show it`)
      try {
        return await handle(params, context)
      } catch (error) {
        if (error instanceof HermesError || error instanceof RpcError) throw error
        const reason = error instanceof Error ? error.message : String(error)
        throw new RpcError(EXTENSION_ERRORS.dialogueError, `${method}: ${reason}`)
      }
    },
  }
}
