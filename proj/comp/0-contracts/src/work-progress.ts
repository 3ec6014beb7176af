/** How far a call is that has much to do before it can answer. */
export interface WorkProgress {
  /** What is done, e.g. `indexing files`. */
  what: string
  done: number
  total: number
}
