import { isDeepStrictEqual } from 'node:util'
import { parse } from '../../../1-reading/src/index.js'
import { isRecord, type ActionResult } from '../../../0-contracts/src/index.js'
import { blockOutcomes } from '../block-outcomes.js'
import type { AssistantTurn, TranscriptSettings } from '../transcript-model.js'

/** Part of a turn that has a result: a block of its text, or a call beside it. */
export interface Item {
  id: string | undefined
  /** `''` for a block that cannot be read. */
  action: string
  params: unknown
  isCall: boolean
  byService: boolean
}

/** Most pairs of items to compare. */
const MOST_PAIRS = 250_000

/** The blocks and calls of a turn, in the order of its results: blocks of the text, then calls. */
export function itemsOf({ text, calls }: AssistantTurn, settings: TranscriptSettings = {}): Item[] {
  const { editFormats = [], startsInThink = false } = settings
  const { blocks, errors } = parse(text, { editFormats, startsInThink })
  const read = blocks.map(({ id, action, params, startLine, endLine }, index): ActionResult => ({
    seq: index + 1, blockId: id, action, params, startLine, endLine, success: true, durationMs: 0,
  }))
  return [
    ...blockOutcomes(read, errors).map(({ blockId, action, params }): Item => (
      // Positional ids mean nothing across two texts.
      { id: /^b\d+$/.test(blockId) ? undefined : blockId, action, params, isCall: false, byService: false }
    )),
    ...calls.map(({ id, name, arguments: params, byService = false }): Item => (
      { id, action: name, params, isCall: true, byService }
    )),
  ]
}

/**
 * Matches the items of two texts, both in order, by greatest similarity.
 *
 * @returns for each item of the second text the index in the first; `undefined` for a new one
 */
export function pairItems(first: readonly Item[], second: readonly Item[]): (number | undefined)[] {
  let start = 0
  while (start < first.length && start < second.length && isSame(first[start], second[start])) start++
  let end = 0
  while (end < first.length - start && end < second.length - start && isSame(first.at(-1 - end), second.at(-1 - end))) {
    end++
  }
  const before = second.slice(0, start).map((_, index) => index)
  const after = second.slice(second.length - end).map((_, index) => first.length - end + index)
  const middle = pairMiddle(first.slice(start, first.length - end), second.slice(start, second.length - end))
  return [...before, ...middle.map((at) => (at === undefined ? undefined : at + start)), ...after]
}

/** Weighted longest common subsequence. */
function pairMiddle(first: readonly Item[], second: readonly Item[]): (number | undefined)[] {
  const isEven = first.length === second.length
  if (first.length * second.length > MOST_PAIRS) return second.map((_, index) => (isEven ? index : undefined))
  const width = second.length + 1
  const best = new Uint32Array((first.length + 1) * width)
  const likeness = (a: number, b: number): number => likenessOf(first[a], second[b], isEven && a === b)
  for (let a = first.length - 1; a >= 0; a--) {
    for (let b = second.length - 1; b >= 0; b--) {
      const like = likeness(a, b)
      const paired = like === 0 ? 0 : like + (best[(a + 1) * width + b + 1] ?? 0)
      best[a * width + b] = Math.max(paired, best[(a + 1) * width + b] ?? 0, best[a * width + b + 1] ?? 0)
    }
  }
  const pairs: (number | undefined)[] = second.map(() => undefined)
  for (let a = 0, b = 0; a < first.length && b < second.length;) {
    const like = likeness(a, b)
    if (like > 0 && best[a * width + b] === like + (best[(a + 1) * width + b + 1] ?? 0)) pairs[b++] = a++
    else if (best[a * width + b] === best[(a + 1) * width + b]) a++
    else b++
  }
  return pairs
}

/**
 * Similarity of two items; 0 for those that only do the same kind of thing, as a wrong result is worse than none.
 *
 * @param isInPlace both texts have as many items, and these are at the same position
 */
function likenessOf(first: Item | undefined, second: Item | undefined, isInPlace: boolean): number {
  if (!first || !second) return 0
  if (isSame(first, second)) return 1000
  const hasAction = first.action === second.action
  if (first.id !== undefined && first.id === second.id) return hasAction ? 100 : 50
  const shared = sharedValues(first.params, second.params)
  if (hasAction && shared > 0) return 10 + Math.min(shared, 20)
  const areNamed = first.id !== undefined && second.id !== undefined
  return isInPlace && !areNamed && (hasAction || shared > 0) ? 1 : 0
}

/** Number of parameters with equal values in both. */
function sharedValues(first: unknown, second: unknown): number {
  if (!isRecord(first) || !isRecord(second)) return 0
  return Object.entries(first).filter(([name, value]) => (
    name !== 'action' && isDeepStrictEqual(value, second[name])
  )).length
}

function isSame(first: Item | undefined, second: Item | undefined): boolean {
  return first?.action === second?.action && (first?.isCall === second?.isCall ? first?.id === second?.id : true)
    && isDeepStrictEqual(first?.params, second?.params)
}
