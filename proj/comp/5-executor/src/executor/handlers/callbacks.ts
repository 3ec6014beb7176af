import { HermesError, type HermesOptions } from '../../../../0-contracts/src/index.js'

/** An error thrown by a function that the calling program gave as an option. */
export interface CallbackFailure {
  /** Name of the option; for a function of `ui`, with its own name: `ui.ask`. */
  callback: string
  error: unknown
}

type Given = Pick<HermesOptions, 'approve' | 'ui' | 'onProgress' | 'onOutput'>

/**
 * The functions that the calling program gave to one run, wrapped so that they throw only HermesError: their own, or
 * `CALLBACK_FAILED`. What else they throw is the program's error: the model only learns that the function failed, and
 * the program gets the error itself.
 *
 * @returns also `failures`, which lists these errors as they come
 */
export function guarded({ approve, ui, onProgress, onOutput }: Given): Given & { failures: CallbackFailure[] } {
  const failures: CallbackFailure[] = []
  /** The error that results show in the place of `error`. */
  const failed = (callback: string, error: unknown): HermesError => {
    if (error instanceof HermesError) return error
    failures.push({ callback, error })
    return new HermesError('CALLBACK_FAILED', `${callback}, a function of the program that runs hermes, failed`, {
      hint: 'Nothing is wrong with the call. Do without it, and tell the user of this.', cause: error,
    })
  }
  const guard = <Args extends readonly unknown[], Returned>(name: string, call: (...args: Args) => Returned) => (
    (...args: Args): Returned => calling(() => call(...args), (error) => {
      throw failed(name, error)
    })
  )
  return {
    failures,
    approve: approve && guard('approve', approve),
    ui: ui && {
      ask: guard('ui.ask', (...asked) => ui.ask(...asked)),
      confirm: guard('ui.confirm', (...asked) => ui.confirm(...asked)),
    },
    onProgress: onProgress && guard('onProgress', onProgress),
    onOutput: onOutput && guard('onOutput', onOutput),
  }
}

/** Calls a function of the calling program. @param failed what comes of what it throws, or rejects with */
export function calling<Returned>(call: () => Returned, failed: (error: unknown) => Returned): Returned {
  try {
    const returned = call()
    return returned instanceof Promise ? returned.catch(failed) as Returned : returned
  } catch (error) {
    return failed(error)
  }
}
