import { constants, openSync } from 'node:fs'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { closing } from '../descriptors.js'

/**
 * Opens a pipe or device for writing. A pipe that nobody reads is refused, where the system would wait for a reader.
 *
 * @param held how it is reached
 * @param file as the user named it
 * @throws HermesError `ENXIO`; Node's errors
 */
export function openThrough(held: string, file: string): number {
  // Held until the other one is open: a reader would take its end for the end of what is written.
  return closing(openProbe(held, file), () => openSync(held, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)))
}

function openProbe(held: string, file: string): number {
  try {
    return openSync(held, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ENXIO') throw error
    throw new HermesError('ENXIO', `${file} is a pipe that nobody reads, or a socket: it is not written`, {
      hint: 'Start what reads from the pipe first, or name a file.', cause: error,
    })
  }
}
