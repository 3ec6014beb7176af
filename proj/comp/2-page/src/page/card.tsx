import type { ComponentChildren } from 'preact'
import { linesOf, MOMENT_WORDS, timeOf, titleOf } from '../page-words.js'
import type { PageItem } from '../run-page-model.js'
import { Visible } from './code-text.js'
import { DiffView, LineCounts } from './diff-view.js'
import { memo } from './memo.js'
import { StateMark } from './state-mark.js'
import { OutputView, PlainText, TextView } from './text-view.js'

/** What another page puts into each card. */
export interface CardSlots {
  /** Above the card. */
  before?: (item: PageItem) => ComponentChildren
  /** Below all cards. */
  end?: ComponentChildren
  /** Before the heading, e.g. a tick box. */
  lead?: (item: PageItem) => ComponentChildren
  /** Below the heading, also where the card is closed, e.g. buttons. */
  tail?: (item: PageItem) => ComponentChildren
  /** First in the body, e.g. a form in which the block can be changed. */
  body?: (item: PageItem) => ComponentChildren
}

export interface CardProps {
  item: PageItem
  /** 1-based, among all that are listed. */
  position: number
  count: number
  isOpen: boolean
  /** Where the keyboard is. */
  isCurrent: boolean
  /** What the answer has in the block's lines; `undefined` where the answer is not known. */
  source: string | undefined
  /** Hooks that ran for what the block wrote. */
  hooks?: readonly PageItem[] | undefined
  slots?: CardSlots | undefined
  onToggle: (key: string) => void
  /** Shows a line of the answer; absent where there is none to show. */
  onLine?: ((line: number) => void) | undefined
  /** Goes to another card. */
  onItem?: ((key: string) => void) | undefined
}

/** The id of a card's element. */
export function cardId(key: string): string {
  return `card-${key}`
}

/** One block, parse error or quote: what it is and how it went; its body only where it is open. */
export const Card = memo(function Card(props: CardProps) {
  const { item, position, count, isOpen, isCurrent, slots, hooks, onToggle, onItem } = props
  const { key, state, subject, code, error, hint, reason, outcome } = item
  const id = cardId(key)
  return <article id={id} class={`card card-${state}${isCurrent ? ' current' : ''}`} data-key={key} data-state={state}
    aria-labelledby={`${id}-title`} aria-posinset={position} aria-setsize={count}>
    <header class="card-head">
      {slots?.lead?.(item)}
      <h3><button type="button" class="card-toggle" id={`${id}-title`} aria-expanded={isOpen} onClick={() => onToggle(
        key,
      )}>
        <StateMark state={state} />
        <span class="action"><Visible text={titleOf(item)} /></span>{' '}
        <span class="subject"><Visible text={subject} /></span>
      </button></h3>
      <Meta {...props} />
    </header>
    {outcome !== undefined && (state !== 'failed' || item.hook) && <p class="outcome"><Visible text={outcome} /></p>}
    {reason !== undefined && <p class="reason">{'Not run: '}<Visible text={reason} /></p>}
    {error !== undefined && <p class="error">{code !== undefined
      && <><code class="code-name">{code}</code>{' '}</>}<PlainText text={error} /></p>}
    {hint !== undefined && <p class="hint"><PlainText text={hint} /></p>}
    {hooks && <HookLinks hooks={hooks} onItem={onItem} />}
    {slots?.tail?.(item)}
    {isOpen && <Body {...props} />}
  </article>
})

/** Leads to the hooks that ran for what a block wrote. */
function HookLinks({ hooks, onItem }: { hooks: readonly PageItem[]; onItem: CardProps['onItem'] }) {
  return <p class="by-hooks">{hooks.map(({ key, state, action = '' }) => (
    <button key={key} type="button" class="link" onClick={() => onItem?.(
      key,
    )}><StateMark state={state} /><Visible text={action} /></button>
  ))}</p>
}

function Meta({ item, onLine }: CardProps) {
  const { blockId, action, startLine, durationMs, changes, hook } = item
  const lines = linesOf(item)
  const added = changes.reduce((sum, change) => sum + change.added, 0)
  const removed = changes.reduce((sum, change) => sum + change.removed, 0)
  return <p class="meta">
    <LineCounts added={added} removed={removed} />
    {blockId !== undefined && action !== undefined && <span class="id"><Visible text={blockId} /></span>}
    {hook ? <span>{MOMENT_WORDS[hook.on]}</span>
      : onLine
        ? <button type="button" class="link" onClick={() => onLine(
          startLine,
        )}>{lines}<span class="hidden"> of the answer</span></button>
      : <span>{lines}</span>}
    {durationMs !== undefined && <span class="time">{timeOf(durationMs)}</span>}
  </p>
}

function Body({ item, source, slots }: CardProps) {
  const { key, changes, output, result, place, hook } = item
  const written = source ?? item.source
  return <div class="card-body">
    {slots?.body?.(item)}
    {changes.map((change, index) => <DiffView key={index} change={change} place={`${key} change ${index}`} />)}
    {output && <OutputView output={output} place={`${key} output`} name={hook ? 'Output' : 'Standard output'} />}
    {result
      && <section aria-label="Result">
        <h4>Result</h4><TextView content={result} label="Result" place={`${key} result`} />
      </section>}
    {written !== undefined && <Source item={item} text={written} isOpen={changes.length === 0 && !output && !result} />}
    {hook && hook.by !== ''
      && <p class="note">
        <Visible text={`It stands in ${hook.by}.${hook.paths ? ` For ${hook.paths.join(', ')}.` : ''}`} />
      </p>}
    {place && <p class="note">{`The error is at line ${place.line}, column ${place.column}.`}</p>}
  </div>
}

function Source({ item, text, isOpen }: { item: PageItem; text: string; isOpen: boolean }) {
  const { key, startLine, isEdited } = item
  return <details class="source" open={isOpen}>
    <summary>{isEdited ? 'As edited' : 'As written in the answer'}</summary>
    <TextView content={{ text }} label={`The answer from line ${startLine}`} place={`${key} source`} />
  </details>
}
