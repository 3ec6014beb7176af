import { linesOf, MOMENT_WORDS, STATE_WORDS, timeOf, titleOf } from '../page-words.js'
import type { ItemState, PageItem } from '../run-page-model.js'
import { element, joined, type Markup } from './markup.js'
import { lineCounts, staticChange, staticOutput, staticText, type Room } from './static-lines.js'

const SIGNS: Readonly<Record<ItemState, string>> = {
  pending: '○', running: '…', succeeded: '✓', failed: '✗', unparsed: '!', skipped: '–',
}

/** By which other parts of the page link to a card. */
export function anchorOf(key: string): string {
  return `block-${key}`
}

/** What a list has of a card: its state, and a link that leads to it. */
export function cardLink(item: PageItem): Markup {
  const { key, state, subject, blockId } = item
  const id = blockId !== undefined && item.action !== undefined ? ` ${blockId}` : ''
  return joined([
    stateMark(state), element('a', { href: `#${anchorOf(key)}` }, titleOf(item), id), ' ',
    element('span', { class: 'subject' }, subject),
  ])
}

function stateMark(state: ItemState): Markup {
  return element(
    'span', { class: `mark mark-${state}` },
    element('span', { 'aria-hidden': 'true' }, SIGNS[state]),
    element('span', { class: 'hidden' }, STATE_WORDS[state], ': '),
  )
}

/** One block, parse error, quote or hook, with all that is known of it. @param source what the answer has there */
export function staticCard(item: PageItem, source: string | undefined, room: Room): Markup {
  const { key, state, subject, outcome, reason, code, error, hint, changes, output, result, hook, place } = item
  const written = source ?? item.source
  const isBare = changes.length === 0 && !output && !result
  return element(
    'article', { class: `card card-${state}`, id: anchorOf(key), 'aria-labelledby': `${anchorOf(key)}-title` },
    element(
      'header', { class: 'card-head' },
      element(
        'h3', { id: `${anchorOf(key)}-title` },
        stateMark(state), element('span', { class: 'action' }, titleOf(item)), ' ',
        element('span', { class: 'subject' }, subject),
      ),
      meta(item),
    ),
    outcome !== undefined && (state !== 'failed' || hook) ? element('p', { class: 'outcome' }, outcome) : undefined,
    reason === undefined ? undefined : element('p', { class: 'reason' }, 'Not run: ', reason),
    error === undefined ? undefined : element(
      'p', { class: 'error' },
      code === undefined ? undefined : joined([element('code', { class: 'code-name' }, code), ' ']), error,
    ),
    hint === undefined ? undefined : element('p', { class: 'hint' }, hint),
    element(
      'div', { class: 'card-body' },
      ...changes.map((change) => staticChange(change, room)),
      output && staticOutput(output, hook ? 'Output' : 'Standard output', room),
      result && staticText('Result', result.text, room),
      written === undefined ? undefined : staticText('As written in the answer', written, room, isBare),
      hook && hook.by !== '' ? element('p', { class: 'note' }, `It stands in ${hook.by}.`,
        hook.paths ? ` For ${hook.paths.join(', ')}.` : '') : undefined,
      place && element('p', { class: 'note' }, `The error is at line ${place.line}, column ${place.column}.`),
    ),
  )
}

function meta(item: PageItem): Markup {
  const { blockId, action, durationMs, changes, hook } = item
  const sum = (of: 'added' | 'removed'): number => changes.reduce((total, change) => total + change[of], 0)
  return element(
    'p', { class: 'meta' },
    lineCounts(sum('added'), sum('removed')),
    blockId !== undefined && action !== undefined ? element('span', { class: 'id' }, blockId) : undefined,
    element('span', {}, hook ? MOMENT_WORDS[hook.on] : linesOf(item)),
    durationMs === undefined ? undefined : element('span', { class: 'time' }, timeOf(durationMs)),
  )
}
