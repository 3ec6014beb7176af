import { editDistance } from './edit-distance.js'

/** Distance of names that differ only in case: less than any real distance. */
const SAME_BUT_FOR_CASE = -1

/**
 * The candidate most similar to `name`; `undefined` where more than a third of the longer name differs (optimal string
 * alignment distance, ignoring case, so that swapped letters count once). The same name in other case is the nearest,
 * then names of the same words in another order (`write_file`, `file_write`).
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  const words = wordsOf(name)
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    if (candidate === name) return candidate
    if (candidate.toLowerCase() === wanted) {
      best = candidate
      bestDistance = SAME_BUT_FOR_CASE
    } else if (bestDistance > 0 && words !== '' && candidate.length === name.length && wordsOf(candidate) === words) {
      best = candidate
      bestDistance = 0
    }
    const allowed = Math.min(bestDistance - 1, Math.floor(Math.max(name.length, candidate.length) / 3))
    const distance = editDistance(wanted, candidate.toLowerCase(), allowed)
    if (distance <= allowed) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * `nearest` for names made of verbs and nouns, such as actions: never a name with a different word in it, since
 * `edit_file` is no misspelling of `write_file`.
 */
export function nearestAction(name: string, candidates: Iterable<string>): string | undefined {
  return nearest(name, [...candidates].filter((candidate) => hasWordsOf(name, candidate)))
}

/** Whether each word is in the other name, exactly or misspelled. Names with different numbers of words pass. */
function hasWordsOf(name: string, candidate: string): boolean {
  const [words, others] = [name, candidate].map(wordList) as [string[], string[]]
  if (words.length !== others.length) return true
  return words.every((word) => others.some((other) => (
    editDistance(word, other) <= Math.max(1, Math.floor(Math.max(word.length, other.length) / 4))
  )))
}

function wordList(name: string): string[] {
  return name.slice(0, 100).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2').toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

function wordsOf(name: string): string {
  return name.length > 100 ? name : name.toLowerCase().split(/[^\p{L}\p{N}]+/u).sort().join(' ').trim()
}
