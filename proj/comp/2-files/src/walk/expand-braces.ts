/**
 * Expands `{a,b}` in a pattern, nested groups included; braces without a comma are literal.
 *
 * @param mostChars most characters of all results together
 * @returns `undefined` where there would be more
 */
export function expandBraces(pattern: string, mostChars: number): string[] | undefined {
  const done: string[] = []
  const open = [pattern]
  // Each result counts one more, since it may be empty.
  let chars = pattern.length + 1
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next)
    if (group === undefined) {
      done.push(next)
      continue
    }
    const before = next.slice(0, group.start)
    const after = next.slice(group.end + 1)
    const expanded = group.parts.map((part) => before + part + after)
    chars += expanded.reduce((sum, { length }) => sum + length + 1, -next.length - 1)
    if (chars > mostChars) return undefined
    open.push(...expanded)
  }
  return done
}

interface Group {
  start: number
  end: number
  parts: string[]
}

/** The first outermost group of alternatives. */
function firstGroup(pattern: string): Group | undefined {
  const opened: { start: number; commas: number[] }[] = []
  let widest: Group | undefined
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '\\') at++
    else if (char === '{') opened.push({ start: at, commas: [] })
    else if (char === ',') opened.at(-1)?.commas.push(at)
    else if (char === '}') {
      const group = opened.pop()
      if (group && group.commas.length > 0 && (widest === undefined || group.start < widest.start)) {
        widest = { start: group.start, end: at, parts: partsOf(pattern, [group.start, ...group.commas, at]) }
      }
      if (widest && opened.length === 0) return widest
    }
  }
  return widest
}

function partsOf(pattern: string, bounds: readonly number[]): string[] {
  return bounds.slice(1).map((end, i) => pattern.slice(bounds[i]! + 1, end))
}
