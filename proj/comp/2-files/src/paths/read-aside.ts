import { orNothing } from '../../../0-contracts/src/index.js'
import { decodeUtf8 } from '../store/index.js'

/** `undefined` where it cannot be read as UTF-8. */
export function readAside(read: () => Uint8Array): string | undefined {
  // What stands in the way of reading is the write's to say.
  return orNothing(() => decodeUtf8(read()), undefined)
}
