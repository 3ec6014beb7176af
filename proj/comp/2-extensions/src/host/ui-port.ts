import { HermesError } from '../../../0-contracts/src/index.js'
import {
  EXTENSION_ERRORS, type ExtensionRequests, type UiMethod, type WindowMessageParams,
} from '../kit/index.js'
import { RpcError } from '../../../2-wire/src/index.js'

/** Context of a dialogue request. */
export interface UiContext {
  /** Name of the extension. */
  extension: string
  /** Where dialogues about paths begin. */
  root: string
  signal: AbortSignal
  /** Called with messages of an opened page, until the extension is stopped. */
  onWindowMessage: (message: WindowMessageParams) => void
}

/**
 * The user as seen by extensions: a terminal, the client of a server, or programmed answers. The host validates params
 * and results. An implementation must get the user's consent before it opens a window.
 */
export interface ExtensionUi {
  /** @throws RpcError, HermesError `NO_USER` where nobody can be asked, `CANCELLED` once `signal` is aborted */
  request<Method extends UiMethod>(
    method: Method, params: ExtensionRequests[Method]['params'], context: UiContext,
  ): Promise<ExtensionRequests[Method]['result']>
  /** Releases windows. */
  close?(): Promise<void>
}

/**
 * A UI without a user.
 *
 * @param why completes the message, e.g. `standard input is no terminal`
 */
export function noUi(why: string): ExtensionUi {
  return {
    request: async method => Promise.reject(new HermesError('NO_USER', `${method}: there is no user to ask: ${why}`, {
      hint: 'Run it at a terminal, or give the answers beforehand with --answers FILE.',
    })),
  }
}

/** Forwards requests unchanged to something that speaks the same protocol: the client of a server. */
export function forwardedUi(
  send: (method: string, params: object, signal: AbortSignal) => Promise<unknown>,
): ExtensionUi {
  return {
    request: async (method, params, { extension, signal }) => (
      // The host validates the result.
      await send(method, { ...params, extension }, signal) as never
    ),
  }
}

/** The error for an extension where the user could not be asked. */
export function asDialogueError(error: unknown): unknown {
  if (!(error instanceof HermesError) || error.code !== 'NO_USER') return error
  return new RpcError(EXTENSION_ERRORS.dialogueError, error.message, { code: error.code, hint: error.hint })
}
