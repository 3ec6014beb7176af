/** Up to this length the engine's own search is fast whatever the texts; its worst case grows with both lengths. */
const SHORT = 32

/**
 * A search for `wanted`, which is not empty, in `content`, linear whatever the two are (Knuth, Morris and Pratt), also
 * where both repeat one character.
 *
 * @returns gives the offset of the first occurrence at or after `from`, or -1
 */
export function textFinder(content: string, wanted: string): (from: number) => number {
  if (wanted.length <= SHORT) return (from) => content.indexOf(wanted, from)
  if (wanted.length > content.length) return () => -1
  let borders: Int32Array | undefined
  return (from) => {
    borders ??= bordersOf(wanted)
    let matched = 0
    for (let at = from; at < content.length; at++) {
      matched = extend(wanted, borders, matched, content.charCodeAt(at))
      if (matched === wanted.length) return at + 1 - matched
    }
    return -1
  }
}

/** As `content.indexOf(wanted)`, linear. */
export function indexOfText(content: string, wanted: string): number {
  return textFinder(content, wanted)(0)
}

/** For each length of a beginning of `text`, the length of the longest shorter one that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length + 1)
  for (let length = 2; length <= text.length; length++) {
    borders[length] = extend(text, borders, borders[length - 1]!, text.charCodeAt(length - 1))
  }
  return borders
}

/** How much of the beginning of `text` is matched after one more unit. */
function extend(text: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched
  while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length]!
  return text.charCodeAt(length) === unit ? length + 1 : length
}
