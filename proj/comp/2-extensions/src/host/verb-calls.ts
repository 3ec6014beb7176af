import { HermesError, isRecord, tracked } from '../../../0-contracts/src/index.js'
import type { FileMethod, VerbExecuteParams } from '../kit/index.js'
import { RPC, RpcError, type Connection } from '../../../2-wire/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import type { ExtensionUi } from './ui-port.js'

/** File access within the run that calls a verb. */
export interface VerbFiles {
  /** @throws HermesError of the verb of that name, e.g. `POLICY_DENIED` */
  request(method: FileMethod, args: Record<string, unknown>): Promise<unknown>
}

/** A call of an extension's verb. */
export interface VerbCall {
  verb: string
  arguments: Record<string, unknown>
  dryRun: boolean
  files: VerbFiles
  /** Answers its dialogues. */
  ui: ExtensionUi
  signal: AbortSignal
}

const LONGEST_MESSAGE = 1000
const LONGEST_HINT = 2000

interface OpenCall extends VerbCall {
  /** Its unanswered requests. */
  pending: Set<Promise<unknown>>
}

/** Calls of verbs that an extension is carrying out; any number at once. */
export class VerbCalls {
  readonly #open = new Map<number, OpenCall>()

  /**
   * Calls a verb. Requests still in progress when the answer comes are awaited, and their failure fails the call, since
   * the extension did not know of it.
   *
   * @throws RpcError of the extension; HermesError with its failure
   */
  async execute(connection: Connection, executionId: number, call: VerbCall): Promise<unknown> {
    const { verb, arguments: args, dryRun, signal } = call
    const params: VerbExecuteParams = { verb, arguments: args, executionId, dryRun }
    const pending = new Set<Promise<unknown>>()
    this.#open.set(executionId, { ...call, pending })
    try {
      const answer = await connection.request('verb/execute', params, { signal })
      this.#open.delete(executionId)
      await Promise.all(pending)
      return answer
    } catch (error) {
      throw error instanceof RpcError && error.code !== RPC.requestCancelled ? verbFailure(verb, error) : error
    } finally {
      this.#open.delete(executionId)
      await Promise.allSettled(pending)
    }
  }

  /** @throws RpcError where no such call is in progress */
  filesOf(executionId: number, method: string): VerbFiles {
    const call = this.#open.get(executionId)
    if (call) return { request: async (...asked) => tracked(call.pending, call.files.request(...asked)) }
    throw new RpcError(RPC.requestFailed, `${method}: no verb is carried out with executionId ${executionId}`, {
      code: 'COMMAND_ENDED', hint: 'Send the executionId of verb/execute, and its answer last.',
    })
  }

  /** UI of the latest call. */
  get ui(): ExtensionUi | undefined {
    return [...this.#open.values()].at(-1)?.ui
  }
}

/** Converts a verb's failure for the model: `data` may have `code`, `hint` and `data`. */
function verbFailure(verb: string, { code, message, data }: RpcError): HermesError {
  if (code === RPC.methodNotFound) {
    return new HermesError('EXTENSION_FAILED', `${verb}: its extension does not answer verb/execute`, {
      hint: 'Do without it; the user can look at the extension with hermes ext test.',
    })
  }
  const { code: own, hint, data: more } = isRecord(data) ? data : {}
  const said = message.startsWith(`${verb}: `) ? message : `${verb}: ${message}`
  return new HermesError(
    typeof own === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(own) ? own : 'TOOL_FAILED', clip(said, LONGEST_MESSAGE),
    {
      hint: typeof hint === 'string' ? clip(hint, LONGEST_HINT)
        : 'That is what the verb said. Change the arguments, or do it another way.',
      data: more,
    },
  )
}
