/** Cache: patterns split into parts. */
const SPLIT = new WeakMap<RegExp, RegExp[][]>()

/**
 * Whether a pattern matches anywhere. Where it has `[^]*` between parts, each part is searched behind the first match
 * of the previous one, which is equivalent and linear.
 */
export function occurs(pattern: RegExp, text: string): boolean {
  let ways = SPLIT.get(pattern)
  if (!ways) {
    ways = alternatives(pattern.source).map((way) => way.split('[^]*').map((part) => new RegExp(part, pattern.flags)))
    SPLIT.set(pattern, ways)
  }
  return ways.some((parts) => {
    let rest = text
    return parts.every((part) => {
      const match = part.exec(rest)
      if (!match) return false
      rest = rest.slice(match.index + match[0].length)
      return true
    })
  })
}

/** Splits a pattern's source at each `|` outside groups and sets. */
function alternatives(source: string): string[] {
  const found: string[] = []
  let [from, depth, isInSet] = [0, 0, false]
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (isInSet) isInSet = char !== ']'
    else if (char === '[') isInSet = source[at + 1] !== '^' || source[at + 2] !== ']'
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth === 0) {
      found.push(source.slice(from, at))
      from = at + 1
    }
  }
  return [...found, source.slice(from)]
}
