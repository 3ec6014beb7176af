import { RunQueue } from '../../5-executor/src/index.js'
import type { Shared } from './ready-session.js'
import type { ServeOptions } from './serve-options.js'
import { cancelledBefore, Slots } from './slots.js'

/** How many verbs that only look run at once. */
const MOST_AT_ONCE = 64

/** What the clients of a server share, however they speak to it. */
export function shared(options: ServeOptions): Shared {
  return { options, queue: new RunQueue(cancelledBefore), slots: new Slots(MOST_AT_ONCE) }
}
