import { caught, HermesError, unless } from '../../../0-contracts/src/index.js'
import { nameOfBytes } from '../../../0-text/src/index.js'
import { STATUS, TYPE, type Attributes, type Fields } from './packets.js'

export interface Answer {
  type: number
  fields: Fields
}

/** What the server refused: the code of its status, and its words. */
export class SftpStatus extends Error {
  constructor(readonly status: number, message: string) {
    super(message)
  }
}

/** What a look at a path gave: `undefined` where nothing is. */
export type Looked = Attributes | SftpStatus | undefined

export function lookedIn(answer: Answer): Looked {
  return caught(SftpStatus, () => orMissing(() => expected(answer, TYPE.attrs).attributes()), (error) => error)
}

export function namesIn(answer: Answer): { name: string; attributes: Attributes }[] {
  const fields = expected(answer, TYPE.name)
  return Array.from({ length: fields.uint32() }, () => {
    const name = nameOfBytes(fields.string())
    fields.string()
    return { name, attributes: fields.attributes() }
  })
}

export function isEnd({ type, fields }: Answer): boolean {
  if (type !== TYPE.status) return false
  const status = fields.uint32()
  if (status === STATUS.end) return true
  throw refused(status, fields)
}

export function requireOk({ type, fields }: Answer): void {
  const status = type === TYPE.status ? fields.uint32() : STATUS.badMessage
  if (status !== STATUS.ok) throw refused(status, fields)
}

export function expected({ type, fields }: Answer, awaited: number): Fields {
  if (type === awaited) return fields
  throw type === TYPE.status ? refused(fields.uint32(), fields) : new SftpStatus(STATUS.badMessage, 'unexpected answer')
}

function refused(status: number, fields: Fields): SftpStatus {
  return new SftpStatus(status, fields.isAtEnd ? '' : fields.string().toString('utf8'))
}

export function orMissing<T>(look: () => T): T | undefined {
  return unless((error) => error instanceof SftpStatus && error.status === STATUS.noSuchFile, look, undefined)
}

/** The error for a host that cannot be reached, or not any more. */
export function unreachable(host: string, why: string): HermesError {
  return new HermesError('UNREACHABLE', `The files on ${host} cannot be reached: ${why}`, {
    hint: `Nothing is half written. Try "ssh ${host}" in a terminal: it has to work without a question; `
      + 'the next run connects again.',
  })
}
