import { fileError } from '../../../2-files/src/index.js'
import { SftpStatus } from './sftp-answers.js'
import { STATUS } from './packets.js'

/** @param ask where the server refuses: throws what it is, where a look tells more than its few words */
export function act<T>(syscall: string, path: string, ask: () => T, lookAgain?: () => void): T {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof SftpStatus)) throw error
    lookAgain?.()
    throw nodeError(error, syscall, path)
  }
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
  const code = CODES[status]
  if (code !== undefined) return fileError(code, syscall, path)
  const said = message === '' ? 'it failed' : message
  const text = `EIO: the server there says only "${said}" (a full disk?), ${syscall} '${path}'`
  return Object.assign(new Error(text), { code: 'EIO', syscall, path })
}

const CODES: Readonly<Record<number, string>> = {
  [STATUS.noSuchFile]: 'ENOENT', [STATUS.denied]: 'EACCES', [STATUS.badMessage]: 'ENAMETOOLONG',
}

/** For cleaning up, where another error says more. */
export function orRefused(clean: () => void): void {
  try {
    clean()
  } catch (error) {
    // It may never have been made.
    if (!(error instanceof SftpStatus)) throw error
  }
}
