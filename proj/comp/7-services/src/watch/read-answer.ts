import { isUtf8 } from 'node:buffer'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { outputTarget, readRegular } from '../../../2-files/src/index.js'

const LARGEST_BYTES = 64 * 1024 * 1024
const PROBLEMS: Partial<Record<string, string>> = {
  FILE_TOO_LARGE: 'too large for an answer',
  POLICY_DENIED: 'a link in a directory where commands work, which one of them may have put there',
}

/**
 * The content of a file that may hold an answer. Links of the user's are followed; those that lie where runs work are
 * not, since a command may have put them there to have another file run, or written to.
 *
 * @returns why it is no answer; `undefined` where it has just gone
 */
export function readAnswer(path: string): { content: string } | { problem: string } | undefined {
  try {
    const bytes = readRegular(outputTarget(path), LARGEST_BYTES)
    if (!isUtf8(bytes) || bytes.includes(0)) return { problem: 'no UTF-8 text' }
    return { content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') }
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof HermesError)) throw error
    if (error.code === 'ENOENT') return undefined
    return { problem: PROBLEMS[error.code] ?? `cannot be read (${error.code})` }
  }
}
