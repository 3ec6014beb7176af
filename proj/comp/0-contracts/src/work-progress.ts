/** How far a call is that has much to do before it can answer. */
export interface WorkProgress {
  /** What is done, e.g. `indexing files`. */
  what: string
  done: number
  total: number
}

/** What a command that runs has printed last. */
export interface PrintedLines {
  /** The block that runs it. */
  blockId: string
  /** At most 10, each of at most 500 characters, secrets masked; of a line that was written over its last state. */
  lines: readonly string[]
}
