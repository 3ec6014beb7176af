/** Lines around a change that may hold the end of what it parts from its declaration. */
const BESIDE = 2
/** Comments, decorators and attributes, as their first and last lines may look: they stand before a declaration. */
const BEFORE = /[@#[\]]|\/[/*]|\*\/|["']{3}|^\s*[\])}]*\)/
const WORDS = /\b(?:export|async|pub)\b/

/**
 * Whether a change may have taken from a declaration what `marksOf` finds. Most have not, as lines show without a look
 * at the declarations, which takes far longer than to parse the file.
 *
 * @param start how many lines both texts begin with, and `end` how many they end with
 */
export function mayLoseMarks(old: readonly string[], now: readonly string[], start: number, end: number): boolean {
  const around = old.slice(Math.max(0, start - BESIDE), old.length - end + BESIDE)
  if (around.some((line) => BEFORE.test(line))) return true
  const kept = headsOf(now.slice(start, now.length - end))
  let at = 0
  return headsOf(old.slice(start, old.length - end)).some((head) => {
    const index = kept.indexOf(head, at)
    at = index + 1
    return index === -1
  })
}

/** Of lines with such a word: all up to the name, and whether the value is `async`. */
function headsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => WORDS.test(line)).map((line) => {
    const [head = ''] = line.replace(/\bpub\([^)]*\)/, 'pub').split(/[=({<:;,]/, 1)
    return `${head.trim()}${/^[^=]*=\s*async\b/.test(line) ? '=async' : ''}`
  })
}
