/** What is shown of a list that is too long to be shown at once: its beginning and its end. */
export interface Fold {
  head: number
  tail: number
  hidden: number
}

/** `undefined` where all of it is shown: also where little more than that would be hidden. */
export function foldOf(count: number, head: number, tail: number): Fold | undefined {
  const hidden = count - head - tail
  return hidden > Math.max(10, (head + tail) / 10) ? { head, tail, hidden } : undefined
}
