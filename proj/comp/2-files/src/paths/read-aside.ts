import { isNodeError } from '../../../0-contracts/src/index.js'
import { decodeUtf8 } from '../store/index.js'

/** `undefined` where it cannot be read as UTF-8. */
export function readAside(read: () => Uint8Array): string | undefined {
  try {
    return decodeUtf8(read())
  } catch (error) {
    // What stands in the way of reading is the write's to say.
    if (isNodeError(error)) return undefined
    throw error
  }
}
