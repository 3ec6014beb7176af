import type { ActionResult, FileChange, HermesEvent } from '../../0-contracts/src/index.js'
import { errorItem, resultItem, skippedItem, type PageItem } from '../../2-page/src/index.js'
import { plural, subjectOf } from '../../1-reports/src/index.js'
import { sourceOf, type Answer, type AnswerBlock } from './answer.js'
import { LEFT_OUT, type Effect } from './preview.js'

/** Of a block's text a card shows so much at most, in UTF-16 units; all of it comes when it is edited. */
const MOST_SOURCE = 64 * 1024
/** So the executor begins what it says of commands in a dry run; what they will ask is shown with the card. */
const NOT_STARTED = 'Dry run: not started.'

/**
 * The card of a block that has not run: what it would do, as far as is known.
 *
 * @param roots paths below them are shown relative
 */
export function plannedCard(
  key: string, answer: Answer, live: AnswerBlock, effect: Effect | undefined, roots: readonly string[],
): PageItem {
  const { block, errors: [error], blockId, startLine, endLine } = live
  const source = sourceOf(answer, live)
  const own = {
    key, ...(blockId !== undefined && { blockId }), startLine, endLine,
    source: shortened(source, live.isAlone),
  }
  if (!block) return { ...(error ? errorItem(error, 0) : { state: 'unparsed', subject: '', changes: [] }), ...own }
  const bare: PageItem = {
    ...own, state: 'pending', action: block.action, subject: subjectOf(block.params, roots), changes: [],
  }
  if (!effect) return bare
  const { durationMs: _, hint, ...planned } = resultItem(effect.result, effect.changes, roots)
  return {
    ...planned, ...own, state: effect.result.success ? 'pending' : 'failed',
    ...(hint !== undefined && !hint.startsWith(NOT_STARTED) && { hint }),
  }
}

/** @param isEditable all of it can be seen there */
function shortened(source: string, isEditable: boolean): string {
  const left = source.length - MOST_SOURCE
  if (left <= 0) return source
  const where = isEditable ? ': Edit shows all of it' : ''
  return `${source.slice(0, MOST_SOURCE)}\n… (it goes on for ${plural(left, 'character')}${where})`
}

/** The card of a block that has run: the diffs stay those that were shown, where there were any. */
export function endedCard(
  { key, source, isEdited, changes: shown, startLine, endLine }: PageItem, result: ActionResult,
  made: readonly FileChange[],
  roots: readonly string[],
): PageItem {
  const card = resultItem(result, made, roots)
  return {
    ...card, key, startLine, endLine, ...(source !== undefined && { source }),
    ...(isEdited && { isEdited }),
    changes: result.success && shown.length > 0 ? shown : card.changes,
  }
}

export function leftOutCard(card: PageItem): PageItem {
  const { error: _, code: __, hint: ___, outcome: ____, ...rest } = card
  return { ...rest, state: 'skipped', reason: LEFT_OUT }
}

/** The card of a hook that runs. */
export function startedHook({ name, on, command }: Extract<HermesEvent, { type: 'hook-start' }>): PageItem {
  return {
    key: 'h-now', state: 'running', action: `hook ${name}`, subject: command, startLine: 0, endLine: 0, changes: [],
    hook: { on, by: '' },
  }
}

/** The cards of what is no live block. */
export function otherCards({ skipped, problems }: Answer): PageItem[] {
  return [...skipped.map(skippedItem), ...problems.map(errorItem)]
}
