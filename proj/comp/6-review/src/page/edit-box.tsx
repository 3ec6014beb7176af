import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ReviewItem } from '../review-state.js'
import { PlainText } from '../../../2-page/src/page/index.js'
import { DeskContext, type Desk } from './desk.js'

/** How long nothing is typed before a text is judged, in milliseconds. */
const PAUSE_MS = 300
const [FEWEST_ROWS, MOST_ROWS] = [6, 28]

/**
 * Where a block is changed: what it would do is shown as soon as the typing pauses. Where another page gives the block
 * another text, that is shown instead: what stands here is what would run, or says that it was not taken.
 */
export function EditBox({ item }: { item: ReviewItem }) {
  const desk = useContext(DeskContext)
  const { key, textRevision, refused } = item
  const [shown, setShown] = useState<{ text: string; fetched: number } | undefined>(() => {
    const draft = refused ? desk?.drafts.get(key) : undefined
    return draft === undefined ? undefined : { text: draft, fetched: 0 }
  })
  /** Which of the block's texts stands here. */
  const [known, setKnown] = useState(textRevision)
  const isDue = shown === undefined || (known < textRevision && desk?.isTyping === false)
  useEffect(() => {
    if (!desk || !isDue) return
    void desk.send({ type: 'source', key }).then(({ value: { text, textRevision: revision } }) => {
      if (typeof text !== 'string' || typeof revision !== 'number') return undefined
      setKnown(revision)
      setShown((before) => ({ text, fetched: (before?.fetched ?? 0) + 1 }))
      return undefined
    })
  }, [isDue])
  if (!desk || !shown) return <p class="note">Fetching the block…</p>
  return <Opened key={shown.fetched} item={item} desk={desk} first={shown.text} onTaken={setKnown} />
}

interface OpenedProps {
  item: ReviewItem
  desk: Desk
  first: string
  /** @param revision of the text that was taken */
  onTaken: (revision: number) => void
}

function Opened({ item, desk, first, onTaken }: OpenedProps) {
  const { key, edited, refused, card } = item
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = `edit-${key}`
  useEffect(() => field.current?.focus(), [])
  const judge = async (): Promise<void> => {
    clearTimeout(timer.current)
    const text = desk.drafts.get(key)
    if (text !== undefined) {
      const { value: { taken, textRevision } } = await desk.send({ type: 'edit', key, text: withBreaksOf(first, text) })
      // What was typed meanwhile is judged on its own.
      if (desk.drafts.get(key) !== text) return
      if (taken === true) desk.drafts.delete(key)
      if (typeof textRevision === 'number') onTaken(textRevision)
    }
    desk.onTyping(key, false)
  }
  const type = (text: string): void => {
    desk.drafts.set(key, text)
    desk.onTyping(key, true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void judge(), PAUSE_MS)
  }
  const close = async (): Promise<void> => {
    await judge()
    desk.onEditing(key, false)
  }
  const revert = async (): Promise<void> => {
    clearTimeout(timer.current)
    desk.drafts.delete(key)
    desk.onTyping(key, false)
    await desk.send({ type: 'revert', key })
    desk.onEditing(key, false)
  }
  return <div class="edit">
    <label for={id} class="hidden">{`Text of block ${card.blockId ?? key}`}</label>
    <textarea id={id} ref={field} defaultValue={first} spellcheck={false} autocomplete="off" autocapitalize="off"
      rows={Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, first.split('\n').length + 1))} aria-describedby={`${id}-verdict`}
      onInput={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return
        event.stopPropagation()
        void close()
      }} />
    <div class="buttons">
      <button type="button" class="button" onClick={() => void close()}>Close <kbd aria-hidden="true">Esc</kbd></button>
      {(edited || refused)
        && <button type="button" class="button" onClick={() => void revert()}>As in the answer</button>}
      <p id={`${id}-verdict`} role="status" class={`verdict ${refused ? 'bad'
        : desk.isTyping || desk.state.previewing ? 'busy' : card.state === 'pending' ? 'ok' : 'bad'}`}>
        {verdictOf(item, desk)}
      </p>
    </div>
  </div>
}

function verdictOf({ refused, card, edited }: ReviewItem, { isTyping, state: { previewing } }: Desk) {
  if (isTyping || previewing) return 'Looking…'
  if (refused) return <PlainText text={`Not taken: ${refused.message}. ${refused.hint ?? ''}`} />
  if (card.error !== undefined) return <PlainText text={card.error} />
  return edited ? 'Valid: it runs as it stands here.' : 'Valid, and as in the answer.'
}

/** Fields of browsers have line feeds alone: a text of CRLF lines keeps them. */
function withBreaksOf(first: string, text: string): string {
  return first.includes('\r\n') && !/(?:^|[^\r])\n/.test(first) ? text.replace(/\r?\n/g, '\r\n') : text
}
