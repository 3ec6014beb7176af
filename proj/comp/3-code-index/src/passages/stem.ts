const ENGLISH = /^[a-z]{4,}$/
const VOWEL = /[aeiouy]/

/**
 * Removes the most common endings of an English word, so that `parse`, `parses`, `parsed`, `parsing` and `parser`
 * become one term. The result need not be a word. Anything else is returned unchanged.
 *
 * @param word in lower case
 */
export function stem(word: string): string {
  if (!ENGLISH.test(word)) return word
  const result = withoutAgent(withoutTense(withoutPlural(word)))
  return result.length > 3 && result.endsWith('e') ? result.slice(0, -1) : result
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutTense(word: string): string {
  if (word.endsWith('ied')) return word.length > 4 ? `${word.slice(0, -3)}y` : word
  if (!/(?:ing|[^e]ed)$/.test(word)) return word
  const rest = word.slice(0, word.endsWith('d') ? -2 : -3)
  if (rest.length < 3 || !VOWEL.test(rest)) return word
  return undoubled(rest)
}

/** Reduces `execution` and `executor` to the form of `execute`, `parser` to that of `parse`. */
function withoutAgent(word: string): string {
  if (/[ts]ion$/.test(word) && word.length > 5) return word.slice(0, -3)
  if (/(?:tor|[^aeiou]er)$/.test(word) && word.length > 5) return undoubled(word.slice(0, -2))
  return word
}

/** Reduces `splitt` to `split`, but keeps `call` and `pass`. */
function undoubled(word: string): string {
  return /([^aeioulsz])\1$/.test(word) ? word.slice(0, -1) : word
}
