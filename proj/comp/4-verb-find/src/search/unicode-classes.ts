/** What ripgrep's `\w`, `\d` and `\s` stand for; RE2's are those of ASCII. Without brackets, for use within some. */
const CLASSES: Readonly<Record<string, string>> = {
  w: String.raw`\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}\x{24b6}-\x{24e9}`,
  d: String.raw`\p{Nd}`,
  s: String.raw`\t-\r\x{85}\p{Z}`,
}

/**
 * Rewrites the classes of a regular expression so that they hold all of Unicode. `\b`, and negated ones within
 * brackets, stay those of ASCII.
 */
export function withUnicodeClasses(regex: string): string {
  let inBrackets = false
  return regex.replace(/\\[^]|\[:\^?\w+:\]|\[\^?\]?|\]/g, (token) => {
    if (!token.startsWith('\\')) {
      if (!token.startsWith('[:')) inBrackets = token !== ']'
      return token
    }
    const letter = token.slice(1)
    const members = CLASSES[letter.toLowerCase()]
    if (members === undefined) return token
    if (letter in CLASSES) return inBrackets ? members : `[${members}]`
    return inBrackets ? token : `[^${members}]`
  })
}
