import { editDistance } from '../../../0-text/src/index.js'

/**
 * Tells the distance of names from the wanted one: 0 if they differ only in case; below 1 if the words of one begin the
 * words of the other in order (`Shell`, `ShellSession`; `parse_fil`, `parse_file`), less if these are the first words
 * and in the same case; 1 if one contains the other; above 1 by the share of differing characters; `undefined` if they
 * are not similar.
 */
export function nameLikeness(written: string): (candidate: string) => number | undefined {
  const wanted = written.toLowerCase()
  const wantedWords = wordsOf(written)
  return (candidate) => {
    const lower = candidate.toLowerCase()
    if (lower === wanted) return 0
    if (wanted.length >= LEAST_PART && lower.length > wanted.length) {
      const words = wordsOf(candidate)
      if (holdsInOrder(words, wantedWords)) {
        const isFirst = words[0]?.startsWith(wantedWords[0] ?? '') === true
        const isSoWritten = candidate.includes(written)
        const more = 1 - wanted.length / lower.length
        return (isFirst ? 0.2 : 0.6) + 0.3 * more - (isSoWritten ? 0.1 : 0)
      }
      if (lower.includes(wanted)) return 1
    }
    const longer = Math.max(wanted.length, lower.length)
    const distance = editDistance(wanted, lower, Math.floor(longer / 3))
    return distance === Infinity ? undefined : 1 + distance / longer
  }
}

/** Shortest part: shorter ones occur in too many names. */
const LEAST_PART = 3
/** Longest name compared by edit distance. */
const MOST_CHARS = 200

function wordsOf(name: string): string[] {
  const parted = name.slice(0, MOST_CHARS).replaceAll(/(\p{Ll}|\p{N})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1$3 $2$4')
  return parted.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Whether each wanted word begins a word, in order; not necessarily adjacent ones. */
function holdsInOrder(words: readonly string[], wanted: readonly string[]): boolean {
  let next = 0
  for (const word of words) {
    const looked = wanted[next]
    if (looked !== undefined && word.startsWith(looked)) next++
  }
  return next > 0 && next === wanted.length
}
