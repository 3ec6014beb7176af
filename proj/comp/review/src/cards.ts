import type { ActionResult, FileChange } from '../../contracts/src/index.js'
import type { PageItem } from '../../report-page/src/index.js'
import { sourceOf, type Answer, type AnswerBlock } from './answer.js'
import { LEFT_OUT, type Effect } from './preview.js'

/** What a block would do, as far as is known. */
export function plannedCard(key: string, answer: Answer, { block, errors, blockId, startLine, endLine, ...rest }: AnswerBlock, effect: Effect | undefined, root: string): PageItem {
  void root
  const [first] = errors
  const common = { key, ...(blockId !== undefined && { blockId }), startLine, endLine, changes: [], source: sourceOf(answer, { errors, blockId, startLine, endLine, ...rest }) }
  if (!block) {
    return { ...common, state: 'unparsed', subject: '', ...(first && { code: first.error.code, error: first.error.message, ...(first.error.hint !== undefined && { hint: first.error.hint }) }) }
  }
  const card: PageItem = { ...common, state: 'pending', action: block.action, subject: String(block.params['path'] ?? '') }
  if (!effect) return card
  const { success, code, error, hint } = effect.result
  return { ...card, state: success ? 'pending' : 'failed', ...(code && { code }), ...(error !== undefined && { error }), ...(hint !== undefined && { hint }) }
}

export function endedCard(card: PageItem, result: ActionResult, changes: readonly FileChange[]): PageItem {
  void changes
  const { success, code, error, hint, durationMs } = result
  const { code: _, error: __, hint: ___, ...rest } = card
  return { ...rest, state: success ? 'succeeded' : 'failed', durationMs, ...(code && { code }), ...(error !== undefined && { error }), ...(hint !== undefined && { hint }) }
}

export function leftOutCard(card: PageItem): PageItem {
  return { ...card, state: 'skipped', reason: LEFT_OUT }
}

export function otherCards({ skipped }: Answer): PageItem[] {
  return skipped.map(({ startLine, endLine, reason, blockId }, index) => (
    { key: `q${index}`, state: 'skipped', subject: '', startLine, endLine, reason, changes: [], ...(blockId !== undefined && { blockId }) }
  ))
}
