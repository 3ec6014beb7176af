import { HermesError, untilAborted } from '../../../0-contracts/src/index.js'
import { PlayedExtension, type PlayedOptions } from './played-extension.js'
import { Fault } from './strict-frames.js'
import { LeftOut, TRIALS } from './trials.js'

/** The result of one trial. */
export interface Finding {
  /** The expected behaviour. */
  trial: string
  outcome: 'right' | 'wrong' | 'left out'
  /** The actual behaviour, or why the trial was left out. */
  message?: string
  hint?: string
  /** The last lines of its standard error, unescaped. */
  log?: readonly string[]
}

/**
 * Tests an extension with simulated hosts: split frames, both types of ids, answers in another order, refusals, early
 * ends, wrong lengths. Each trial runs a process of its own.
 *
 * @param command to run; default: the first that it names
 * @throws HermesError `EXTENSION_FAILED` where it cannot be started, `CANCELLED`
 */
export async function* testExtension(
  options: PlayedOptions, command: string | undefined, signal: AbortSignal,
): AsyncGenerator<Finding, void> {
  let isDeaf = false
  for (const { name, play } of TRIALS) {
    if (signal.aborted) throw new HermesError('CANCELLED', 'The trials were interrupted', { hint: 'Run them again.' })
    if (isDeaf) {
      yield { trial: name, outcome: 'left out', message: 'it does not introduce itself' }
      continue
    }
    const extension = await PlayedExtension.start(options)
    try {
      await untilAborted(signal, () => void extension.kill(), async () => play(extension, { command }))
      yield { trial: name, outcome: 'right' }
    } catch (error) {
      if (signal.aborted) continue
      if (error instanceof LeftOut) yield { trial: name, outcome: 'left out', message: error.message }
      else if (error instanceof Fault) {
        isDeaf = name === TRIALS[0]?.name
        yield { trial: name, outcome: 'wrong', message: error.message, hint: error.hint, log: extension.log }
      } else throw error
    } finally {
      await extension.kill()
    }
  }
}
