import { addAbortSignal } from 'node:stream'
import { lineFeedsOf } from '../../../0-text/src/index.js'
import { decodeStream } from '../../../2-files/src/index.js'
import { asStdinFailure, STDIN, tellAwaited } from './read-input.js'

/** Size from which to favour memory over time, in bytes. */
const LONG = 128 * 1024

/** Completes the notice for commands that run a text while it arrives. */
const AT_ONCE = ' Each block runs once it is whole, and nobody is asked: hermes interactive waits, and asks.'

/**
 * Standard input as it arrives, with LF if all lines end in CRLF, which is known only at its end.
 *
 * @param signal aborts reading
 * @throws HermesError as `decodeStream`, and for read errors
 */
export function stdinText(signal: AbortSignal): AsyncGenerator<string, void> {
  return lineFeedsOf(decodeStream(stdinBytes(signal), STDIN))
}

async function* stdinBytes(signal: AbortSignal): AsyncGenerator<Buffer, void> {
  let length = 0
  tellAwaited(AT_ONCE)
  try {
    for await (const piece of addAbortSignal(signal, process.stdin)) {
      const bytes = piece as Buffer
      if (length <= LONG && length + bytes.length > LONG) await preferMemory()
      length += bytes.length
      yield bytes
    }
  } catch (error) {
    if (signal.aborted) return
    throw asStdinFailure(error)
  }
}

/** Makes V8 collect garbage sooner: otherwise up to 50 MB would pile up. A long answer takes about 10 % longer. */
async function preferMemory(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--optimize-for-size')
}
