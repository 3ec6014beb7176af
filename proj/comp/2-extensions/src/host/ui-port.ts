import { HermesError } from '../../../0-contracts/src/index.js'
import {
  EXTENSION_ERRORS, type ExtensionRequests, type UiMethod, type WindowMessageParams,
} from '../kit/index.js'
import { RpcError } from '../../../2-wire/src/index.js'

/** Who asks, and how long. */
export interface UiContext {
  /** Name of the extension. */
  extension: string
  /** Where dialogues about paths begin. */
  root: string
  signal: AbortSignal
  /** Told what a page that was opened says; once the extension is stopped nobody is. */
  onWindowMessage: (message: WindowMessageParams) => void
}

/**
 * The user, as extensions reach him: a terminal, the client of a server, or programmed answers. Params are checked
 * before, and results after. Windows are opened with the user's consent only, which is for the implementation to get.
 */
export interface ExtensionUi {
  /** @throws RpcError, HermesError `NO_USER` where nobody can be asked, `CANCELLED` once `signal` is aborted */
  request<Method extends UiMethod>(
    method: Method, params: ExtensionRequests[Method]['params'], context: UiContext,
  ): Promise<ExtensionRequests[Method]['result']>
  /** Windows are let go. */
  close?(): Promise<void>
}

/** Nobody to ask. @param why completes the message, e.g. `standard input is no terminal` */
export function noUi(why: string): ExtensionUi {
  return {
    request: async method => Promise.reject(new HermesError('NO_USER', `${method}: there is no user to ask: ${why}`, {
      hint: 'Run it at a terminal, or give the answers beforehand with --answers FILE.',
    })),
  }
}

/** Passes the requests on, as they are, to who speaks the same protocol: the client of a server. */
export function forwardedUi(
  send: (method: string, params: object, signal: AbortSignal) => Promise<unknown>,
): ExtensionUi {
  return {
    request: async (method, params, { extension, signal }) => (
      // What comes back is checked by the host.
      await send(method, { ...params, extension }, signal) as never
    ),
  }
}

/** What the extension is told where the user was not reached. */
export function asDialogueError(error: unknown): unknown {
  if (!(error instanceof HermesError) || error.code !== 'NO_USER') return error
  return new RpcError(EXTENSION_ERRORS.dialogueError, error.message, { code: error.code, hint: error.hint })
}
