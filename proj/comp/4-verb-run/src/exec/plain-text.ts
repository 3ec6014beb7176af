import { HermesError } from '../../../0-contracts/src/index.js'

/** @throws HermesError `INVALID_PARAMETER` for code with a NUL, which no argument of a program can hold */
export function requireNoNul(verb: string, name: string, code: string): void {
  if (!code.includes('\0')) return
  throw new HermesError('INVALID_PARAMETER', `${verb}: ${name} must not contain NUL characters`, {
    hint: 'Write an escape such as \\0 in the code instead.',
  })
}

/** @throws HermesError `INVALID_PARAMETER` for text that cannot reach a program as it is */
export function requirePassable(verb: string, name: string, text: string): void {
  if (text.includes('\0')) {
    throw new HermesError('INVALID_PARAMETER', `${verb}: ${name} must not contain NUL characters`, {
      hint: 'No program can be given a NUL: leave it out, or put the text into a file and pass its name.',
    })
  }
  if (!text.isWellFormed()) {
    throw new HermesError('INVALID_PARAMETER', `${verb}: ${name} holds half of a surrogate pair`, {
      hint: 'Write the character itself, or both \\u escapes of its pair.',
    })
  }
}
