import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing, type ApprovalRequest } from '../../0-contracts/src/index.js'
import { mendedSource, type Answer, type AnswerBlock } from './answer.js'
import { leftOutCard, plannedCard } from './cards.js'
import type { Effect } from './preview.js'
import type { Ask, ReviewItem } from './review-state.js'

export interface ItemFacts {
  answer: Answer
  block: AnswerBlock
  /** Its place among the blocks, from 0. */
  at: number
  effect: Effect | undefined
  ticked: boolean
  edited: boolean
  textRevision: number
  /** What was asked before: what the user agreed to stays so where the same is asked. */
  before: readonly Ask[]
  roots: readonly string[]
}

/** A block that has not run, as pages show it. */
export function plannedItem(
  { answer, block, at, effect, ticked, edited, textRevision, before, roots }: ItemFacts,
): ReviewItem {
  const key = String(at + 1)
  const asks = effect?.asks.map((request): Ask => ({ ...request, approved: isAgreedTo(before, request) }))
  return {
    key, card: plannedCard(key, answer, block, effect, roots), ticked, edited, textRevision, editable: block.isAlone,
    ...(block.isAlone && mendedSource(answer, block, effect?.result) !== undefined && { mendable: true as const }),
    asks: asks ?? [],
  }
}

/** Whether the user has agreed to just this. */
export function isAgreedTo(asks: readonly Ask[], request: ApprovalRequest): boolean {
  return asks.some(({ approved, ...asked }) => approved && JSON.stringify(asked) === JSON.stringify(request))
}

/** A block whose run is about to begin. */
export function aboutToRun(item: ReviewItem): ReviewItem {
  const { card, ticked } = item
  if (!ticked) return { ...item, card: leftOutCard(card) }
  return card.state === 'unparsed' ? item : { ...item, card: { ...card, state: 'pending' } }
}

/** The item on the lines that its block has now. */
export function onItsLines(item: ReviewItem, { blocks }: Answer, at: number): ReviewItem {
  const { startLine = 0, endLine = 0 } = blocks[at] ?? {}
  return { ...item, card: { ...item.card, startLine, endLine } }
}

/** A root as given and without links: paths may be written either way. */
export function rootNames({ root, rootAliases = [] }: { root: string; rootAliases?: readonly string[] }): string[] {
  return [...new Set([resolve(root), orNothing(() => realpathSync.native(root), root), ...rootAliases])]
}
