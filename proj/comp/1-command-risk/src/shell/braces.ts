const MOST_WORDS = 64

/** Expands `{a,b}c` to `ac`, `bc` in raw shell text, up to a maximum; ranges and quoted braces stay. */
export function expandBraces(text: string): string[] {
  const words: string[] = []
  const open = [text]
  for (let next = open.pop(); next !== undefined && words.length < MOST_WORDS; next = open.pop()) {
    const group = findGroup(next)
    if (!group) {
      words.push(next)
      continue
    }
    const [start, parts, end] = group
    const [head, rest] = [next.slice(0, start), next.slice(end)]
    open.push(
      ...parts
        .slice(0, MOST_WORDS)
        .map((part) => head + part + rest)
        .reverse(),
    )
  }
  return words
}

/** The first group of alternatives: start, alternatives, and index behind the end. */
function findGroup(text: string): [number, string[], number] | undefined {
  for (let start = nextOpen(text, 0); start >= 0; start = nextOpen(text, start + 1)) {
    const parts: string[] = []
    let depth = 0
    let from = start + 1
    for (let at = start + 1; at < text.length; at++) {
      at = skipQuoted(text, at)
      const char = text[at]
      if (char === '{') depth++
      else if (char === '}' && depth > 0) depth--
      else if (char === ',' && depth === 0) {
        parts.push(text.slice(from, at))
        from = at + 1
      } else if (char === '}') {
        if (parts.length === 0) break
        return [start, [...parts, text.slice(from, at)], at + 1]
      }
    }
  }
  return undefined
}

function nextOpen(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    at = skipQuoted(text, at)
    if (text[at] === '{' && text[at - 1] !== '$') return at
  }
  return -1
}

/** Index of the last character of the quoted text at `at`, or `at` itself. */
function skipQuoted(text: string, at: number): number {
  const char = text[at]
  if (char === '\\') return at + 1
  if (char !== "'" && char !== '"') return at
  const end = text.indexOf(char, at + 1)
  return end < 0 ? at : end
}
