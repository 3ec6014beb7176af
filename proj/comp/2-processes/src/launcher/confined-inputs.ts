import type { Readable, Writable } from 'node:stream'
import type { ConfinedProgram } from '../../../0-contracts/src/index.js'

/** First descriptor beyond the standard ones: the report of bubblewrap; what it reads follows. */
export const STATUS_FD = 3

/** The pipes of a child by their descriptors. */
export type Stdio = readonly (Readable | Writable | null | undefined)[]

/** The pipes a program gets beyond the standard three. */
export function furtherPipes({ inputs }: ConfinedProgram): 'pipe'[] {
  return inputs === undefined ? [] : ['pipe', ...inputs.map(() => 'pipe' as const)]
}

/** Gives a program what it reads from further descriptors. */
export function giveInputs({ inputs = [] }: ConfinedProgram, stdio: Stdio): void {
  for (const [index, text] of inputs.entries()) {
    const pipe = stdio[STATUS_FD + 1 + index] as Writable
    // Where the sandbox cannot be set up, nobody reads it.
    pipe.on('error', () => undefined)
    pipe.end(text)
  }
}
