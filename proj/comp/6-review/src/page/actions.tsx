import { useContext } from 'preact/hooks'
import type { Phase } from '../review-state.js'
import { DeskContext } from './desk.js'

const NOW: Readonly<Partial<Record<Phase, string>>> = {
  checking: 'Looking whether the files are still as shown…', running: 'Running…', undoing: 'Taking it back…',
  ended: 'hermes has ended: this page can be closed',
}

/** What can be done with the review as a whole. */
export function Actions(
  { onRun, onNext, onCopy, isCopied, unseen, isWarned }: {
    onRun: () => void
    /** Goes to what was not on the screen yet. */
    onNext: () => void
    onCopy: () => void
    isCopied: boolean
    /** Blocks that were not on the screen as a whole. */
    unseen: number
    /** The user was told so, and can run them all the same. */
    isWarned: boolean
  },
) {
  const desk = useContext(DeskContext)
  if (!desk) return null
  const { state: { phase, items, previewing, outcome, nothing }, send, isTyping } = desk
  const chosen = items.filter((item) => item.ticked)
  const ticked = chosen.length
  const failing = chosen.filter(({ card }) => card.state === 'failed').length
  const broken = chosen.filter(({ card }) => card.state === 'unparsed').length
  const running = ticked - broken
  const isRefused = items.some(({ refused }) => refused)
  const isBusy = previewing || isTyping
  const all = ticked === items.length
  const words = ticked === items.length ? `all ${items.length}` : `${ticked} of ${items.length}`
  return <div class="actions">
    <span class={isWarned && phase === 'review' ? 'count warned' : 'count'} role="status">{
      NOW[phase] ?? (phase === 'review' ? isBusy ? 'Looking what would happen…'
      : isRefused ? 'An edit was not taken: mend it, or take it back'
      : nothing ? ''
      : isWarned ? `${unseen} of ${ticked} not looked at yet. Next: u. Run all the same: press Run again.`
      : `${words} ${items.length === 1 ? 'block' : 'blocks'} ticked`
        + (failing === 0 ? '' : `, ${failing} would fail`) + (broken === 0 ? '' : `, ${broken} cannot run`)
        + (unseen === 0 ? '' : `, ${unseen} not looked at yet`)
      : phase === 'ran' && isCopied ? 'The reply is on the clipboard' : '')}</span>
    {phase === 'review' && <>
      {items.length > 1
        && <button type="button" onClick={() => void send(
          { type: 'tick', keys: items.map(({ key }) => key), on: !all },
        )}>
        {all ? 'Untick all' : 'Tick all'}</button>}
      {unseen > 0 && <button type="button" onClick={onNext}>
        Next unseen <kbd aria-hidden="true">u</kbd></button>}
      <span class="spacer" />
      <button type="button" onClick={() => void send({ type: 'finish' })}>Cancel</button>
      <button type="button" class="primary" disabled={isBusy || isRefused || running === 0
        || nothing !== undefined} onClick={onRun}>
        {`Run ${running === 1 ? '1 block' : `${running} blocks`}`}</button>
    </>}
    {(phase === 'checking' || phase === 'running') && <>
      <span class="spacer" />
      <button type="button" class="danger" onClick={() => void send({ type: 'cancel' })}>Stop</button>
    </>}
    {(phase === 'ran' || phase === 'undone') && <>
      <span class="spacer" />
      {phase === 'ran' && outcome?.undoable
        && <button type="button" onClick={() => void send({ type: 'undo' })}>Undo</button>}
      {phase === 'ran' && <button type="button" onClick={onCopy}>Copy reply</button>}
      <button type="button" class="primary" onClick={() => void send({ type: 'finish' })}>Done</button>
    </>}
  </div>
}
