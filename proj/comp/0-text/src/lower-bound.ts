/** The first index from `low` up to `high` that is not before what is looked for; `high` where all are. */
export function lowerBound(low: number, high: number, isBefore: (index: number) => boolean): number {
  let [first, end] = [low, high]
  while (first < end) {
    const middle = (first + end) >> 1
    if (isBefore(middle)) first = middle + 1
    else end = middle
  }
  return first
}
