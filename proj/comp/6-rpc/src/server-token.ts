import { lstatSync, readFileSync, rmSync } from 'node:fs'
import { createWhole, inParent, outputTarget } from '../../2-files/src/index.js'
import { HermesError, isNodeError, orNothing } from '../../0-contracts/src/index.js'
import { requireOutOfReach } from './out-of-reach.js'

/** The form of `createToken`, with a line feed. */
const TOKEN_FILE = /^[\w-]{43}\n$/
const TOKEN_BYTES = 44

/**
 * Writes the server's token to a file that only its owner can read, created anew so that nobody has it open and its
 * mode is right from the start. Replaces only a token that a server left behind.
 *
 * @returns removes the file at the end of the server, if it still is this server's
 * @throws HermesError `EEXIST`, `POLICY_DENIED` for a file where commands work, and others where it cannot be written
 */
export function writeServerToken(file: string, token: string): () => void {
  try {
    requireOutOfReach('token', file)
    removeLeftBehind(file)
    inParent(outputTarget(file), 'open', (held) => createWhole(held, `${token}\n`, { mode: 0o600 }))
    const { dev, ino } = lstatSync(file)
    return () => {
      const stats = orNothing(() => lstatSync(file), undefined)
      if (stats?.dev === dev && stats.ino === ino) orNothing(() => rmSync(file), undefined)
    }
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write the token to ${file} (${error.code})`, {
      hint: 'Name a file in a directory that exists and that you may write.', cause: error,
    })
  }
}

function removeLeftBehind(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (!stats) return
  if (!stats.isFile() || stats.size !== TOKEN_BYTES || !TOKEN_FILE.test(readFileSync(file, 'utf8'))) {
    throw new HermesError(
      'EEXIST', `${file} is there, and holds no token of a server`, { hint: 'Name a file that is not there.' },
    )
  }
  rmSync(file)
}
