import * as v from 'valibot'
import {
  EXTENSION_ERRORS, FILE_METHODS, type FileMethod, type ExtensionMethod, type ExtensionRequests, type UiMethod,
} from '../kit/index.js'
import { checkedParams, RPC, RpcError, type RequestHandler } from '../../../2-wire/src/index.js'
import type { Message } from './message.js'
import { firstProblem, PARAMS, RESULTS } from './message-schemas.js'
import type { VerbFiles } from './verb-calls.js'
import { EXECUTION } from './verb-schemas.js'
import { asDialogueError, type ExtensionUi, type UiContext } from './ui-port.js'
import { windowTarget } from './window-target.js'

export interface Served {
  extension: string
  root: string
  /**
   * Files for a call of a verb.
   *
   * @throws RpcError where no such call is in progress
   */
  files(executionId: number, method: string): VerbFiles
  /** Aborted when the extension is stopped. */
  signal: AbortSignal
  /**
   * Called at the start of each request.
   *
   * @throws RpcError where no command is in progress
   */
  begin(method: ExtensionMethod): Begun
  onWindowMessage: UiContext['onWindowMessage']
  /** Whether `initialize` has been answered. */
  isReady(): boolean
}

/** A request in progress: it belongs to the command during which it began, however long it takes. */
export interface Begun {
  job: CommandJob
  /** Call it when the request is answered. */
  end(): void
}

/** What a command works on: an answer, and the UI to ask. */
export interface CommandJob {
  message: Message
  ui: ExtensionUi
}

type Handler<Method extends ExtensionMethod> = (
  params: ExtensionRequests[Method]['params'], signal: AbortSignal, job: CommandJob,
) => ExtensionRequests[Method]['result'] | Promise<ExtensionRequests[Method]['result']>

/** Handlers of all requests of extensions, file requests included. */
export function requestHandlers(served: Served): Record<ExtensionMethod | FileMethod, RequestHandler> {
  const windows = new Set<string>()
  const dialogue = <Method extends UiMethod>(method: Method): Handler<Method> => async (params, signal, { ui }) => {
    const { extension, root, onWindowMessage } = served
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
  const handlers: { [Method in ExtensionMethod]: Handler<Method> } = {
    'editor/getMessage': (params, _signal, { message }) => message.get(params),
    'editor/patchMessage': (params, signal, { message }) => message.patch(params, signal),
    'editor/setMessage': (params, _signal, { message }) => message.set(params),
    'ui/openWindow': async (params, signal, job) => {
      const target = params.url === undefined ? params : { ...params, url: windowTarget(params.url, served.root) }
      const result = await dialogue('ui/openWindow')(target, signal, job)
      windows.add(result.windowId)
      return result
    },
    'ui/closeWindow': async (params, signal, job) => {
      if (!windows.delete(params.windowId)) {
        throw new RpcError(
          EXTENSION_ERRORS.windowError, `There is no window ${JSON.stringify(params.windowId.slice(0, 100))}`,
        )
      }
      return dialogue('ui/closeWindow')(params, signal, job)
    },
    'ui/showMessage': dialogue('ui/showMessage'),
    'ui/showConfirm': dialogue('ui/showConfirm'),
    'ui/openFile': dialogue('ui/openFile'),
    'ui/openFiles': dialogue('ui/openFiles'),
    'ui/saveFile': dialogue('ui/saveFile'),
    'ui/selectDirectory': dialogue('ui/selectDirectory'),
  }
  const requireReady = (method: string): void => {
    if (!served.isReady()) throw new RpcError(RPC.notInitialized, `${method} before the answer to initialize`)
  }
  const wrap = <Method extends ExtensionMethod>(method: Method): RequestHandler => async (params, context) => {
    requireReady(method)
    const { job, end } = served.begin(method)
    const handle = checkedParams(PARAMS[method], async (checked, { signal }) => (
      handlers[method](checked, AbortSignal.any([signal, served.signal]), job)
    ))
    try {
      return await handle(params, context)
    } finally {
      end()
    }
  }
  // The verb validates the other fields.
  const ofFiles = (method: FileMethod): RequestHandler => {
    const handle = checkedParams(EXECUTION, async ({ executionId, ...args }) => (
      served.files(executionId, method).request(method, args)
    ))
    return async (params, context) => {
      requireReady(method)
      return handle(params, context)
    }
  }
  const methods = Object.keys(handlers) as ExtensionMethod[]
  return Object.fromEntries([
    ...methods.map(method => [method, wrap(method)] as const),
    ...FILE_METHODS.map(method => [method, ofFiles(method)] as const),
  ]) as Record<ExtensionMethod | FileMethod, RequestHandler>
}
