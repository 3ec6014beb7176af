import * as v from 'valibot'
import { isRecord } from '../../../0-contracts/src/index.js'
import { EXTENSION_ERRORS, type ExtensionMethod, type ExtensionRequests, type UiMethod } from '../kit/index.js'
import { checkedParams, RPC, RpcError, type RequestHandler } from '../../../2-wire/src/index.js'
import type { Message } from './message.js'
import { firstProblem, PARAMS, RESULTS } from './message-schemas.js'
import { asDialogueError, type ExtensionUi, type UiContext } from './ui-port.js'
import { windowTarget } from './window-target.js'

export interface Served {
  extension: string
  root: string
  message: Message
  ui: ExtensionUi
  /** Aborted when the extension is stopped. */
  signal: AbortSignal
  /**
   * Around each request, to be told whether it changed the message as it was to; a dialogue waits for the user,
   * not for the extension.
   */
  began(isDialogue: boolean): (changed: boolean) => void
  onWindowMessage: UiContext['onWindowMessage']
  /** Its initialisation has been answered. */
  isReady(): boolean
}

const CHANGES = new Set<ExtensionMethod>(['editor/setMessage', 'editor/patchMessage'])

type Handler<Method extends ExtensionMethod> = (
  params: ExtensionRequests[Method]['params'], signal: AbortSignal,
) => ExtensionRequests[Method]['result'] | Promise<ExtensionRequests[Method]['result']>

/** The handlers of the eleven requests. */
export function requestHandlers(served: Served): Record<ExtensionMethod, RequestHandler> {
  const windows = new Set<string>()
  const { message } = served
  const ask = async <Method extends UiMethod>(
    method: Method, params: ExtensionRequests[Method]['params'], signal: AbortSignal,
  ): Promise<ExtensionRequests[Method]['result']> => {
    const { ui, extension, root, onWindowMessage } = served
    const context = { extension, root, signal, onWindowMessage }
    const result: unknown = await ui.request(method, params, context).catch((error: unknown) => {
      throw asDialogueError(error)
    })
    const checked = v.safeParse(RESULTS[method], result)
    if (checked.success) return checked.output as ExtensionRequests[Method]['result']
    throw new RpcError(
      EXTENSION_ERRORS.dialogueError, `${method}: the answer that came is none: ${firstProblem(checked.issues)}`,
    )
  }
  const dialogue = <Method extends UiMethod>(method: Method): Handler<Method> =>
    async (params, signal) => ask(method, params, signal)

  const handlers: { [Method in ExtensionMethod]: Handler<Method> } = {
    'editor/getMessage': params => message.get(params),
    'editor/patchMessage': (params, signal) => message.patch(params, signal),
    'editor/setMessage': params => message.set(params),
    'ui/openWindow': async (params, signal) => {
      const target = params.url === undefined ? params : { ...params, url: windowTarget(params.url, served.root) }
      const result = await ask('ui/openWindow', target, signal)
      windows.add(result.windowId)
      return result
    },
    'ui/closeWindow': async (params, signal) => {
      if (!windows.delete(params.windowId)) {
        throw new RpcError(
          EXTENSION_ERRORS.windowError, `There is no window ${JSON.stringify(params.windowId.slice(0, 100))}`,
        )
      }
      return ask('ui/closeWindow', params, signal)
    },
    'ui/showMessage': dialogue('ui/showMessage'),
    'ui/showConfirm': dialogue('ui/showConfirm'),
    'ui/openFile': dialogue('ui/openFile'),
    'ui/openFiles': dialogue('ui/openFiles'),
    'ui/saveFile': dialogue('ui/saveFile'),
    'ui/selectDirectory': dialogue('ui/selectDirectory'),
  }
  const wrap = <Method extends ExtensionMethod>(method: Method): RequestHandler => {
    const handle = checkedParams(PARAMS[method], async (params, { signal }) => (
      handlers[method](params, AbortSignal.any([signal, served.signal]))
    ))
    return async (params, context) => {
      if (!served.isReady()) throw new RpcError(RPC.notInitialized, `${method} before the answer to initialize`)
      const end = served.began(method.startsWith('ui/'))
      let changed = false
      try {
        const result = await handle(params, context)
        changed = CHANGES.has(method) && isRecord(result) && result['success'] === true
        return result
      } finally {
        end(changed)
      }
    }
  }
  const methods = Object.keys(handlers) as ExtensionMethod[]
  return Object.fromEntries(methods.map(method => [method, wrap(method)])) as Record<ExtensionMethod, RequestHandler>
}
