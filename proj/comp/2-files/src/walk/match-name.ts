type Range = readonly [from: string, to: string]
/** Any characters, or one that passes a test; `literal` if only that one does; `isUnclosed`: a `[` without `]`. */
type Token = 'any' | { literal?: string; isUnclosed?: boolean; test: (char: string) => boolean }

/**
 * Compiles a pattern for one name: `*`, `?`, `[a-z]`, `[!a-z]`, `\` before a literal character. Matching takes at most
 * the product of both lengths, since only the last `*` is backtracked.
 *
 * @param dot whether `*`, `?` and `[…]` match a leading dot
 */
export function compileName(pattern: string, dot: boolean): (name: string) => boolean {
  const tokens = tokenize([...pattern])
  const [first] = tokens
  const namesDot = typeof first === 'object' && first.literal === '.'
  return (name) => (dot || namesDot || !name.startsWith('.')) && matches(tokens, [...name])
}

function matches(tokens: readonly Token[], chars: readonly string[]): boolean {
  let token = 0
  let char = 0
  let lastAny = -1
  let resumeAt = 0
  while (char < chars.length) {
    const expected = tokens[token]
    if (expected === 'any') {
      lastAny = token++
      resumeAt = char
    } else if (expected?.test(chars[char]!)) {
      token++
      char++
    } else if (lastAny !== -1) {
      token = lastAny + 1
      char = ++resumeAt
    } else return false
  }
  while (tokens[token] === 'any') token++
  return token === tokens.length
}

function tokenize(chars: readonly string[], compileClass = characterClass): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!
    const close = char === '[' ? chars.indexOf(']', at + (/[!^]/.test(chars[at + 1] ?? '') ? 3 : 2)) : -1
    if (char === '*') {
      if (tokens.at(-1) !== 'any') tokens.push('any')
    } else if (char === '?') tokens.push({ test: () => true })
    else if (close !== -1) {
      tokens.push({ test: compileClass(chars.slice(at + 1, close)) })
      at = close
    } else {
      const literal = char === '\\' && at + 1 < chars.length ? chars[++at]! : char
      tokens.push({ literal, isUnclosed: char === '[', test: (other) => other === literal })
    }
  }
  return tokens
}

/** What makes brackets in a pattern useless: a reversed range (`z-a`), or a missing `]`. */
export function bracketFault(pattern: string): Range | 'unclosed' | undefined {
  let reversed: Range | undefined
  const tokens = tokenize([...pattern], (inside) => {
    reversed ??= rangesOf(inside).ranges.find(([from, to]) => codeOf(from) > codeOf(to))
    return () => false
  })
  const isUnclosed = tokens.some((token) => token !== 'any' && token.isUnclosed)
  return reversed ?? (isUnclosed ? 'unclosed' : undefined)
}

function characterClass(inside: readonly string[]): (char: string) => boolean {
  const { negated, ranges } = rangesOf(inside)
  return (char) => ranges.some(([from, to]) => codeOf(from) <= codeOf(char) && codeOf(char) <= codeOf(to)) !== negated
}

function rangesOf(inside: readonly string[]): { negated: boolean; ranges: Range[] } {
  const negated = inside[0] === '!' || inside[0] === '^'
  const ranges: Range[] = []
  for (let at = negated ? 1 : 0; at < inside.length; at++) {
    if (inside[at] === '\\' && at + 1 < inside.length) at++
    const from = inside[at]!
    const isRange = inside[at + 1] === '-' && at + 2 < inside.length
    ranges.push([from, isRange ? inside[at + 2]! : from])
    if (isRange) at += 2
  }
  return { negated, ranges }
}

function codeOf(char: string): number {
  return char.codePointAt(0)!
}
