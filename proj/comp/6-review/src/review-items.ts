import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing, type ApprovalRequest } from '../../0-contracts/src/index.js'
import { textChange, type PageChange } from '../../2-page/src/index.js'
import { mendedSource, sourceOf, type Answer, type AnswerBlock } from './answer.js'
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
  mended: boolean
  /** The block's text as the answer has it. */
  original: string
  textRevision: number
  /** What was asked before: what the user agreed to stays so where the same is asked. */
  before: readonly Ask[]
  roots: readonly string[]
}

/** A block that has not run, as pages show it. */
export function plannedItem(
  { answer, block, at, effect, ticked, edited, mended, original, textRevision, before, roots }: ItemFacts,
): ReviewItem {
  const key = String(at + 1)
  const asks = effect?.asks.map((request): Ask => ({ ...request, approved: isAgreedTo(before, request) }))
  return {
    key, card: { ...plannedCard(key, answer, block, effect, roots), ...(edited && { isEdited: true as const }) },
    ticked, edited, textRevision, editable: block.isAlone,
    ...(block.isAlone && mendedSource(answer, block, effect?.result) !== undefined && { mendable: true as const }),
    asks: asks ?? [], ...(edited && { edit: editOf(original, sourceOf(answer, block)) }),
    ...(mended && { mended: true as const }),
  }
}

/** What was changed of a block's text. */
function editOf(before: string, after: string): PageChange {
  const [oldText, newText] = [before, after].map((text) => `${text.slice(0, MOST_COMPARED)}\n`)
  return textChange('the block', oldText ?? '', newText ?? '')
}

/** Of longer texts the beginning is compared, in UTF-16 units. */
const MOST_COMPARED = 512 * 1024

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
export function rootNames(
  { root, rootAliases = [] }: { root: string; rootAliases?: readonly string[] | undefined },
): string[] {
  return [...new Set([resolve(root), orNothing(() => realpathSync.native(root), root), ...rootAliases])]
}
