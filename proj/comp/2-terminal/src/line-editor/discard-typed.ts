import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { KeySource } from './key-input.js'

/** Input typed before a question was visible arrives within this time, in milliseconds. */
const TYPED_MS = 50
/** Most turns of the event loop in which to read pending input, in case it never ends. */
const MOST_TURNS = 1000
const CTRL_C = 3

/**
 * Drops input typed before a question was visible, so that it does not answer it. Draw the question right afterwards in
 * the same turn: input typed while something is loaded or printed in between would answer it.
 *
 * @throws HermesError `CANCELLED` after Ctrl-C
 */
export async function discardTyped(input: KeySource): Promise<void> {
  await withKeys(input, async discard => discard())
}

/** Drops typed lines; in line mode, an incomplete line remains. */
export async function discardLines(input: KeySource): Promise<void> {
  let hasCome = true
  const discard = (): void => { hasCome = true }
  input.on('data', discard)
  // A listener alone does not resume a paused stream.
  input.resume()
  await sleep(TYPED_MS)
  // A process that was busy has not read its pending input yet.
  for (let turns = 0; hasCome && turns < MOST_TURNS; turns++) {
    hasCome = false
    await nextTurn()
  }
  input.off('data', discard)
  input.pause()
}

/**
 * Runs dialogues that read keys, in which Ctrl-C would be an ordinary key; it interrupts all the same.
 *
 * @param task gets a function to call before each question, as described for `discardTyped`; it also drops an
 *   incomplete line, which the terminal only delivers in raw mode
 * @throws HermesError `CANCELLED` after Ctrl-C
 */
export async function withKeys<Value>(
  input: KeySource, task: (discard: () => Promise<void>) => Promise<Value>,
): Promise<Value> {
  let isInterrupted = false
  const watch = (piece: Buffer | string): void => {
    if (isInterrupted || !Buffer.from(piece).includes(CTRL_C)) return
    isInterrupted = true
    process.emit('SIGINT', 'SIGINT')
  }
  const requireGoing = (): void => {
    if (isInterrupted) throw new HermesError('CANCELLED', 'The dialogue was cancelled')
  }
  input.on('data', watch)
  try {
    const answer = await task(async () => {
      // A previous question has switched the terminal back to line mode.
      input.setRawMode?.(true)
      await discardLines(input)
      requireGoing()
    })
    requireGoing()
    return answer
  } finally {
    input.off('data', watch)
    input.setRawMode?.(false)
  }
}
