import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { createToken } from '../../loopback-http/src/index.js'

/**
 * A token for `serveHttp`. A file that is to hold it is made anew, so that nobody has it open and its mode is right from
 * its first moment.
 *
 * @throws HermesError where it cannot be written
 */
export function createServerToken(file: string | undefined): string {
  const token = createToken()
  if (file === undefined) return token
  try {
    rmSync(file, { force: true })
    const descriptor = openSync(file, 'wx', 0o600)
    writeSync(descriptor, `${token}\n`)
    closeSync(descriptor)
    return token
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write the token to ${file} (${error.code})`, {
      hint: 'Name a file in a directory that exists and that you may write.', cause: error,
    })
  }
}
