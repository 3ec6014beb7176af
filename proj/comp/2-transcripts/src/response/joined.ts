import type { ResponsePart } from '../../../0-contracts/src/index.js'

/** What the events of a stream come to. */
export interface Joined {
  parts: ResponsePart[]
  /** The stream came to its end. */
  isEnded: boolean
}
