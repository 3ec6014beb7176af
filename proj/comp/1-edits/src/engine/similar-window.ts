import type { Steps } from './steps.js'

/** Most windows compared in full, lines compared in each, characters compared in each line. */
const MOST_WINDOWS = 40
const MOST_LINES = 100
const MOST_CHARS = 300
/** Where no line is equal and no word is rare: most characters of a file to compare line by line. */
const MOST_SCANNED = 500_000
/** Most words to look up, and in how many lines at most a word counts as rare. */
const MOST_WORDS = 12
const RARE = 100
const LEAST_LIKENESS = 0.5

/**
 * The start of the run of lines most similar to `wanted`, with bounded work: only windows around a line that both share
 * are compared, the rarest first; else windows around the line most similar to the longest wanted one.
 *
 * @returns 0-based index into `lines`; `undefined` when less than half is similar
 */
export function* mostSimilarWindow(
  lines: readonly string[], wanted: readonly string[],
): Steps<number | undefined> {
  let best: number | undefined
  let bestLikeness = LEAST_LIKENESS
  const shares = wanted.slice(0, MOST_LINES).map((line) => ({ weight: line.trim().length, likeness: likenessTo(line) }))
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  for (const start of yield* candidateStarts(lines, wanted)) {
    let sum = 0
    for (const [index, { weight, likeness }] of shares.entries()) {
      if (weight > 0) sum += weight * likeness(lines[start + index] ?? '')
    }
    if (sum / total > bestLikeness) {
      best = start
      bestLikeness = sum / total
    }
  }
  return best
}

function* candidateStarts(lines: readonly string[], wanted: readonly string[]): Steps<Set<number>> {
  const anchors = new Map<string, { index: number; at: number[] }>()
  for (const [index, line] of wanted.entries()) {
    const key = line.trim()
    if (/\w/.test(key) && !anchors.has(key)) anchors.set(key, { index, at: [] })
  }
  for (const [at, line] of lines.entries()) {
    const anchor = anchors.get(line.trim())
    if (anchor && anchor.at.length < MOST_WINDOWS) anchor.at.push(at)
  }
  yield
  const starts = new Set<number>()
  const add = (at: number, index: number) => starts.size < MOST_WINDOWS && starts.add(Math.max(0, at - index))
  for (const { index, at } of [...anchors.values()].sort((a, b) => a.at.length - b.at.length)) {
    for (const place of at) add(place, index)
  }
  if (starts.size === 0) {
    const index = wanted.reduce((longest, line, i) => (line.length > wanted[longest]!.length ? i : longest), 0)
    for (const place of yield* mostLikeLines(lines, wanted[index]!)) add(place, index)
  }
  return starts
}

function* mostLikeLines(lines: readonly string[], wanted: string): Steps<number[]> {
  const rare = linesWithRareWords(lines, wanted)
  yield
  const alike = rare && mostAlike(lines, rare, wanted)
  if (alike && alike.likeness >= LEAST_LIKENESS) return alike.places
  yield
  return mostAlike(lines, lines.keys(), wanted).places
}

function mostAlike(
  lines: readonly string[], among: Iterable<number>, wanted: string,
): { likeness: number; places: number[] } {
  const likeness = likenessTo(wanted)
  let scanned = 0
  let best = 0
  let places: number[] = []
  for (const at of among) {
    const line = lines[at] ?? ''
    scanned += Math.min(line.length, MOST_CHARS)
    if (scanned > MOST_SCANNED) break
    const alike = likeness(line)
    if (alike > best) {
      best = alike
      places = [at]
    } else if (alike === best && places.length < MOST_WINDOWS) places.push(at)
  }
  return { likeness: best, places }
}

/** The lines, in order, with a word of `wanted` that few lines have; `undefined` where there are none. */
function linesWithRareWords(lines: readonly string[], wanted: string): number[] | undefined {
  const words = [...new Set(wanted.slice(0, MOST_CHARS).match(/\w{2,}/g))].sort((a, b) => b.length - a.length)
  const occurrences = words.slice(0, MOST_WORDS).map((word) => ({ word, at: [] as number[] }))
  for (const [at, line] of lines.entries()) {
    for (const { word, at: places } of occurrences) if (places.length <= RARE && line.includes(word)) places.push(at)
  }
  const rare = occurrences.flatMap(({ at }) => at.length <= RARE ? at : [])
  return rare.length === 0 ? undefined : [...new Set(rare)].sort((a, b) => a - b)
}

/**
 * Similarity of lines to `wanted`, from 0 to 1: the share of adjacent character pairs in common (Dice), or, since
 * `wanted` may be only part of a line, a value near the share of its words in the line.
 */
function likenessTo(wanted: string): (line: string) => number {
  const target = wanted.trim().slice(0, MOST_CHARS)
  const pairs = new Map<string, number>()
  for (let i = 1; i < target.length; i++) {
    const pair = target.slice(i - 1, i + 1)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  const words = new Set(target.match(/\w+/g))
  return (line) => {
    const text = line.trim().slice(0, MOST_CHARS)
    if (text === target) return 1
    if (text.length < 2 || target.length < 2) return 0
    const dice = (2 * sharedPairs(pairs, text)) / (text.length + target.length - 2)
    return words.size < 3 ? dice : Math.max(dice, 0.9 * sharedWords(words, text))
  }
}

function sharedPairs(pairs: ReadonlyMap<string, number>, text: string): number {
  const used = new Map<string, number>()
  let shared = 0
  for (let i = 1; i < text.length; i++) {
    const pair = text.slice(i - 1, i + 1)
    const available = pairs.get(pair) ?? 0
    const taken = used.get(pair) ?? 0
    if (taken >= available) continue
    used.set(pair, taken + 1)
    shared++
  }
  return shared
}

function sharedWords(words: ReadonlySet<string>, text: string): number {
  const present = new Set(text.match(/\w+/g))
  let shared = 0
  for (const word of words) if (present.has(word)) shared++
  return shared / words.size
}
