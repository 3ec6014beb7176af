/**
 * Up to this length the search of the JavaScript engine is fast for any text; its worst case grows with both lengths.
 */
const SHORT = 32

/**
 * Units that may be compared in vain, as a multiple of the content's length, before the always linear search takes
 * over.
 */
const WORK = 2

/**
 * Searches `wanted` (not empty) in `content` in linear time, also where both repeat one character: first by a short
 * piece of `wanted`, then, where that is too frequent, by Knuth, Morris and Pratt.
 *
 * @returns a function that gives the offset of the first occurrence at or after `from`, or -1
 */
export function textFinder(content: string, wanted: string): (from: number) => number {
  if (wanted.length <= SHORT) return (from) => content.indexOf(wanted, from)
  if (wanted.length > content.length) return () => -1
  const offset = variedPiece(wanted)
  const piece = wanted.slice(offset, offset + SHORT)
  let work = content.length * WORK
  let borders: Int32Array | undefined
  return (from) => {
    let at = from
    while (work >= 0) {
      const index = content.indexOf(piece, at + offset)
      if (index === -1) return -1
      at = index - offset
      if (content.startsWith(wanted, at)) return at
      work -= wanted.length
      at++
    }
    borders ??= bordersOf(wanted)
    return scan(content, wanted, borders, at)
  }
}

function scan(content: string, wanted: string, borders: Int32Array, from: number): number {
  let matched = 0
  for (let at = from; at < content.length; at++) {
    matched = extend(wanted, borders, matched, content.charCodeAt(at))
    if (matched === wanted.length) return at + 1 - matched
  }
  return -1
}

/** Number of pieces of a text to compare. */
const PIECES = 16

/** Offset of the piece with the most distinct characters, which is likely the rarest. */
function variedPiece(text: string): number {
  let best = 0
  let most = 0
  for (let offset = 0; offset + SHORT <= text.length && offset < PIECES * SHORT; offset += SHORT) {
    const count = new Set(text.slice(offset, offset + SHORT)).size
    if (count > most) [best, most] = [offset, count]
  }
  return best
}

/** `content.indexOf(wanted)` in linear time. */
export function indexOfText(content: string, wanted: string): number {
  return textFinder(content, wanted)(0)
}

/** For each prefix of `text`, the length of the longest shorter prefix that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length + 1)
  for (let length = 2; length <= text.length; length++) {
    borders[length] = extend(text, borders, borders[length - 1]!, text.charCodeAt(length - 1))
  }
  return borders
}

/** Length of the matched prefix after one more unit. */
function extend(text: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched
  while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length]!
  return text.charCodeAt(length) === unit ? length + 1 : length
}
