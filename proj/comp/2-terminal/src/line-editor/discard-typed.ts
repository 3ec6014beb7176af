import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { KeySource } from './key-input.js'

/** What was typed before the question was seen arrives within this time, in milliseconds. */
const TYPED_MS = 50
/** Of the event loop, in which all that the system has is read; input that never ends is no reason to wait for ever. */
const MOST_TURNS = 1000
const CTRL_C = 3

/**
 * Takes what was typed before a question was seen: it answers nothing. Draw the question right after it, in the same
 * turn: what is typed while something is loaded or printed in between would be its answer.
 *
 * @throws HermesError `CANCELLED` after Ctrl-C
 */
export async function discardTyped(input: KeySource): Promise<void> {
  await withKeys(input, async discard => discard())
}

/** Takes the lines that were typed; of a terminal in line mode not one that is not ended yet. */
export async function discardLines(input: KeySource): Promise<void> {
  let hasCome = true
  const discard = (): void => { hasCome = true }
  input.on('data', discard)
  // A listener alone does not wake a stream that was paused.
  input.resume()
  await sleep(TYPED_MS)
  // A process that was busy until now has not read what has come meanwhile.
  for (let turns = 0; hasCome && turns < MOST_TURNS; turns++) {
    hasCome = false
    await nextTurn()
  }
  input.off('data', discard)
  input.pause()
}

/**
 * Runs dialogues that read keys. There Ctrl-C is a key like any other; it interrupts all the same.
 *
 * @param task is given what it calls before each question, as `discardTyped` says: what was typed before answers
 *   nothing, not even a line that is not ended yet, which the terminal hands over only in raw mode
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
      // A question before has put the terminal back into line mode.
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
