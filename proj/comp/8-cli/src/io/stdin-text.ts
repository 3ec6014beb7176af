import { addAbortSignal } from 'node:stream'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { decodeStream } from '../../../2-files/src/index.js'
import { STDIN, stdinFailure } from './read-input.js'

/** From here on memory counts more than time, in bytes. */
const LONG = 128 * 1024

/**
 * Standard input as it comes.
 *
 * @param signal ends the reading
 * @throws HermesError as `decodeStream`, and for what cannot be read
 */
export function stdinText(signal: AbortSignal): AsyncGenerator<string, void> {
  return decodeStream(stdinBytes(signal), STDIN)
}

async function* stdinBytes(signal: AbortSignal): AsyncGenerator<Buffer, void> {
  let length = 0
  try {
    for await (const piece of addAbortSignal(signal, process.stdin)) {
      const bytes = piece as Buffer
      if (length <= LONG && length + bytes.length > LONG) await preferMemory()
      length += bytes.length
      yield bytes
    }
  } catch (error) {
    if (signal.aborted) return
    if (!isNodeError(error)) throw error
    throw stdinFailure(error.code)
  }
}

/**
 * V8 collects sooner: what a block leaves behind would pile up to 50 MB otherwise.
 * Costs a long answer some 10 % more time.
 */
async function preferMemory(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--optimize-for-size')
}
