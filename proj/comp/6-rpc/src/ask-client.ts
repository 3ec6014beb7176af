import { HermesError, isRecord, type HermesOptions, type UserInterface } from '../../0-contracts/src/index.js'
import { RpcError, type CallContext } from '../../2-wire/src/index.js'
import type { InitializeParams } from './params.js'

type Capabilities = NonNullable<InitializeParams['capabilities']>

/** How a run asks the user of its client: only in ways that the client said it supports. */
export function askClient(
  { id, peer, signal }: CallContext, { approvals, questions }: Capabilities, log: (line: string) => void,
): Pick<HermesOptions, 'approve' | 'ui'> {
  const ui: UserInterface = {
    async ask(question, aborted) {
      const { answer } = await asked('ui/ask', { request: id, ...question }, aborted)
      if (typeof answer === 'string') return answer
      throw noUser('ui/ask was answered without a text as answer')
    },
    async confirm(request, aborted) {
      const { confirmed } = await asked('ui/confirm', { request: id, ...request }, aborted)
      return confirmed === true
    },
  }
  const asked = async (method: string, params: object, aborted: AbortSignal): Promise<Record<string, unknown>> => {
    try {
      const answer = await peer.request(method, params, { signal: aborted })
      return isRecord(answer) ? answer : {}
    } catch (error) {
      if (aborted.aborted) throw cancelled(error)
      throw noUser(error instanceof Error ? error.message : String(error))
    }
  }
  return {
    ...(approvals === true && {
      async approve(request) {
        try {
          const given = await peer.request('approval/request', { request: id, ...request }, { signal })
          const { answer, scope, reason, access } = isRecord(given) ? given : {}
          const named = request.offers?.find((offer) => offer === access)
          const opening = named === undefined ? {} : { access: named }
          if (answer === 'once') return { answer, ...opening }
          // A server changes no policy file, so `always` lasts as long as the session.
          if (answer === 'session' || answer === 'always') {
            return { answer: 'session', scope: scope === 'kind' ? 'kind' : 'exact', ...opening }
          }
          return typeof reason === 'string' ? { answer: 'deny', reason } : 'deny'
        } catch (error) {
          if (signal.aborted) throw cancelled(error)
          if (!(error instanceof RpcError)) throw error
          log(`approval/request failed: ${error.message}`)
          return 'deny'
        }
      },
    } satisfies Pick<HermesOptions, 'approve'>),
    ...(questions === true && { ui }),
  }
}

function cancelled(cause: unknown): HermesError {
  return new HermesError('CANCELLED', 'Cancelled while the client was asked', { cause })
}

function noUser(reason: string): HermesError {
  return new HermesError('NO_USER', `The client could not ask its user: ${reason}`, { hint: 'Go on without the answer, '
    + 'or ask in your text.' })
}
