import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { KeySource } from './key-input.js'

/** What was typed before the question was seen arrives within this time, in milliseconds. */
const TYPED_MS = 50
const CTRL_C = 3

/**
 * Takes what was typed before a question was seen: it answers nothing.
 *
 * @throws HermesError `CANCELLED` after Ctrl-C
 */
export async function discardTyped(input: KeySource): Promise<void> {
  await withKeys(input, () => Promise.resolve())
}

/** Takes the lines that were typed; of a terminal in line mode not one that is not ended yet. */
export async function discardLines(input: KeySource): Promise<void> {
  const discard = (): void => undefined
  input.on('data', discard)
  // A listener alone does not wake a stream that was paused.
  input.resume()
  await sleep(TYPED_MS)
  input.off('data', discard)
  input.pause()
}

/**
 * Runs dialogues that read keys. What was typed before answers none of them, not even a line that is not ended yet,
 * which the terminal hands over only in raw mode. There Ctrl-C is a key like any other; it interrupts all the same.
 *
 * @throws HermesError `CANCELLED` after Ctrl-C
 */
export async function withKeys<Value>(input: KeySource, task: () => Promise<Value>): Promise<Value> {
  let isInterrupted = false
  const watch = (piece: Buffer | string): void => {
    if (isInterrupted || !Buffer.from(piece).includes(CTRL_C)) return
    isInterrupted = true
    process.emit('SIGINT', 'SIGINT')
  }
  input.setRawMode?.(true)
  input.on('data', watch)
  try {
    await discardLines(input)
    const answer = await task()
    if (isInterrupted) throw new HermesError('CANCELLED', 'The dialogue was cancelled')
    return answer
  } finally {
    input.off('data', watch)
    input.setRawMode?.(false)
  }
}
