/** BM25 as the textbooks have it, over the words of texts, identifiers split at their humps and underscores. */
const SATURATION = 1.2
const LENGTH_EFFECT = 0.75

/**
 * @param texts of the documents
 * @param toTerm makes what is compared of a word
 * @returns ranks the documents for a question: their numbers, best first, of those that hold a word of it
 */
export function plainBm25(texts, toTerm = word => word) {
  const lengths = []
  const postings = new Map()
  for (const [document, text] of texts.entries()) {
    const words = wordsOf(text).map(toTerm)
    lengths.push(words.length)
    for (const [word, count] of countsOf(words)) {
      if (!postings.has(word)) postings.set(word, [])
      postings.get(word).push({ document, count })
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (question) => {
    const scores = new Map()
    for (const word of new Set(wordsOf(question).map(toTerm))) {
      const holding = postings.get(word) ?? []
      const weight = Math.log(1 + (texts.length - holding.length + 0.5) / (holding.length + 0.5))
      for (const { document, count } of holding) {
        const length = 1 - LENGTH_EFFECT + LENGTH_EFFECT * lengths[document] / average
        const score = weight * count * (SATURATION + 1) / (count + SATURATION * length)
        scores.set(document, (scores.get(document) ?? 0) + score)
      }
    }
    return [...scores].sort((one, other) => other[1] - one[1] || one[0] - other[0]).map(([document]) => document)
  }
}

export function wordsOf(text) {
  return (text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu) ?? []).map(word => word.toLowerCase())
}

function countsOf(words) {
  const counts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
