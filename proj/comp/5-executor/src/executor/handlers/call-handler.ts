import { types } from 'node:util'
import { HermesError, type AnyVerb, type VerbContext } from '../../../../0-contracts/src/index.js'
import { closingContext } from './closing-context.js'
import { CallWait } from './wait-for.js'

/**
 * Calls a verb's handler. One that runs past the time limit, or on after a cancellation, is told by its signal; shortly
 * after, it is abandoned: what it then asks of hermes is refused, and what it returns is discarded.
 *
 * @param context as the handler gets it, except that its parts refuse use once the call is over
 * @param late receives one line for each thing that a handler did after it was abandoned
 * @returns what the handler returned, unchecked
 * @throws what the handler throws; HermesError `TIMEOUT`, `CANCELLED` where it was abandoned
 */
export async function callHandler(
  verb: AnyVerb, args: unknown, context: VerbContext, late: (line: string) => void = () => undefined,
): Promise<unknown> {
  let over: HermesError | undefined
  let isTold = false
  const requireOpen = (what: string): void => {
    if (!over) return
    if (!isTold) late(`${verb.name} wanted to ${what} after it had been given up: refused`)
    isTold = true
    throw new HermesError(over.code, `${verb.name} was given up: it can no longer ${what}`, {
      hint: 'End when context.signal is aborted.',
    })
  }
  const waiting = new CallWait(verb, context)
  try {
    const returned: unknown = verb.handler(args as never, closingContext(context, requireOpen, waiting))
    if (!isPromise(returned)) return returned
    const promise = Promise.resolve(returned)
    return await waiting.until(promise, (error) => {
      over = error
      void tellEnd(promise, (how) => late(`${verb.name} came to its end after it had been given up: ${how}`))
    })
  } finally {
    waiting.release()
  }
}

async function tellEnd(promise: Promise<unknown>, tell: (how: string) => void): Promise<void> {
  const [{ status }] = await Promise.allSettled([promise])
  tell(status === 'fulfilled' ? 'its result was discarded' : 'it failed')
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  if (types.isPromise(value)) return true
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
