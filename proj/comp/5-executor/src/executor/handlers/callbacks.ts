import { HermesError, type HermesOptions } from '../../../../0-contracts/src/index.js'

/** An error thrown by a function that the calling program gave as an option. */
export interface CallbackFailure {
  /** Name of the option; for a function of `ui`, with its own name: `ui.ask`. */
  callback: string
  error: unknown
}

type Given = Pick<HermesOptions, 'approve' | 'ui' | 'onProgress' | 'onOutput'>

/**
 * Calls the functions that the calling program gave to one run. What they throw is the program's error: the model only
 * learns that the function failed, and the program gets the error itself.
 */
export class Callbacks {
  readonly failures: CallbackFailure[] = []

  /** The same functions, wrapped so that they throw only HermesError: their own, or `CALLBACK_FAILED`. */
  guard({ approve, ui, onProgress, onOutput }: Given): Given {
    return {
      approve: approve && this.#guarded('approve', approve),
      ui: ui && {
        ask: this.#guarded('ui.ask', (...asked) => ui.ask(...asked)),
        confirm: this.#guarded('ui.confirm', (...asked) => ui.confirm(...asked)),
      },
      onProgress: onProgress && this.#guarded('onProgress', onProgress),
      onOutput: onOutput && this.#guarded('onOutput', onOutput),
    }
  }

  /** @returns the error that results show in its place */
  failed(callback: string, error: unknown): HermesError {
    if (error instanceof HermesError) return error
    this.failures.push({ callback, error })
    return new HermesError('CALLBACK_FAILED', `${callback}, a function of the program that runs hermes, failed`, {
      hint: 'Nothing is wrong with the call. Do without it, and tell the user of this.', cause: error,
    })
  }

  #guarded<Args extends readonly unknown[], Returned>(
    name: string, call: (...args: Args) => Returned,
  ): (...args: Args) => Returned {
    return (...args) => {
      try {
        const returned = call(...args)
        if (!(returned instanceof Promise)) return returned
        return returned.catch((error: unknown) => {
          throw this.failed(name, error)
        }) as Returned
      } catch (error) {
        throw this.failed(name, error)
      }
    }
  }
}
