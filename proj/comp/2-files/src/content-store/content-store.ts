import { HermesError } from '../../../0-contracts/src/index.js'
import { contentAddress } from './content-address.js'

/** Where content is kept under its hash. What is there already is not sent again, and what comes is checked. */
export interface ContentStore {
  /** What messages call it; without secrets. */
  readonly name: string
  /** @returns its address. @throws HermesError where it cannot be kept */
  put(content: Uint8Array): Promise<string>
  /**
   * @param most bytes that it may have; never more than 512 MB
   * @throws HermesError `ENOENT`, `CORRUPT_CONTENT`, `FILE_TOO_LARGE`, `UNREACHABLE`
   */
  get(address: string, most?: number): Promise<Buffer>
}

/** Content is held in memory while it is sent and checked. */
export const MOST_BYTES = 512 * 1024 * 1024

/** @throws HermesError `CORRUPT_CONTENT` where it is not what was asked for */
export function checked(content: Buffer, address: string, store: string): Buffer {
  if (contentAddress(content) === address) return content
  throw new HermesError('CORRUPT_CONTENT', `${store} holds something else under ${address}`, {
    hint: 'Remove it there, and run the same command again: it is sent anew.',
  })
}

export function missing(address: string, store: string): HermesError {
  return new HermesError('ENOENT', `${store} does not have ${address}`, {
    hint: 'Give workers the same --store as the command that gives them work.',
  })
}

/** @throws HermesError `FILE_TOO_LARGE` */
export function requireSize(bytes: number, what: string, most = MOST_BYTES): void {
  if (bytes <= Math.min(most, MOST_BYTES)) return
  const limit = most < MOST_BYTES ? `the ${most} bytes it should have` : `${MOST_BYTES / 1024 / 1024} MB`
  throw new HermesError('FILE_TOO_LARGE', `${what} is larger than ${limit}`, { hint: 'Leave it out of the workspace.' })
}
