import { caught } from '../../../0-contracts/src/index.js'
import { fileError } from '../../../2-files/src/index.js'
import { SftpStatus } from './sftp-answers.js'
import { STATUS } from './packets.js'

/** @param ask where the server refuses: throws what it is, where a look tells more than its few words */
export function act<T>(syscall: string, path: string, ask: () => T, lookAgain?: () => void): T {
  return caught(SftpStatus, ask, (error) => {
    lookAgain?.()
    throw nodeError(error, syscall, path)
  })
}

/** As `act`, for what comes piece by piece. */
export function* named(syscall: string, path: string, ask: () => Iterable<Buffer>): Generator<Buffer, void> {
  try {
    yield* ask()
  } catch (error) {
    throw error instanceof SftpStatus ? nodeError(error, syscall, path) : error
  }
}

function nodeError({ status, message }: SftpStatus, syscall: string, path: string): Error {
  // OpenSSH says the same of a name that is too long and of one that it cannot take for another reason.
  const code = status === STATUS.badMessage && !isLong(path) ? undefined : CODES[status]
  if (code !== undefined) return fileError(code, syscall, path)
  const said = message === '' ? 'it failed' : message
  const text = `EIO: the server there says only "${said}" (a full disk?), ${syscall} '${path}'`
  return Object.assign(new Error(text), { code: 'EIO', syscall, path })
}

/** In bytes, as file systems of Linux have them. */
const MOST_OF_NAME = 255
const MOST_OF_PATH = 4096

function isLong(path: string): boolean {
  return Buffer.byteLength(path) >= MOST_OF_PATH
    || path.split('/').some((name) => Buffer.byteLength(name) > MOST_OF_NAME)
}

const CODES: Readonly<Record<number, string>> = {
  [STATUS.noSuchFile]: 'ENOENT', [STATUS.denied]: 'EACCES', [STATUS.badMessage]: 'ENAMETOOLONG',
}
