import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ReviewItem } from '../review-state.js'
import { PlainText } from '../../../report-page/src/page/index.js'
import { DeskContext, type Desk } from './desk.js'

/** How long nothing is typed before a text is judged, in milliseconds. */
const PAUSE_MS = 300
const [FEWEST_ROWS, MOST_ROWS] = [6, 28]

/** Where a block is changed: what it would do is shown as soon as the typing pauses. */
export function EditBox({ item }: { item: ReviewItem }) {
  const desk = useContext(DeskContext)
  const [first, setFirst] = useState<string | undefined>(desk?.drafts.get(item.key))
  useEffect(() => {
    if (first !== undefined || !desk) return
    void desk.send({ type: 'source', key: item.key }).then(({ value: { text } }) => {
      setFirst(typeof text === 'string' ? text : '')
      return undefined
    })
  }, [])
  if (!desk || first === undefined) return <p class="note">Fetching the block…</p>
  return <Opened item={item} desk={desk} first={first} />
}

function Opened({ item, desk, first }: { item: ReviewItem; desk: Desk; first: string }) {
  const { key, edited, refused, card } = item
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = `edit-${key}`
  useEffect(() => field.current?.focus(), [])
  const judge = async (): Promise<void> => {
    clearTimeout(timer.current)
    const text = desk.drafts.get(key)
    if (text !== undefined) await desk.send({ type: 'edit', key, text })
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
      {(edited || refused) && <button type="button" class="button" onClick={() => void revert()}>As in the answer</button>}
      <p id={`${id}-verdict`} role="status" class={`verdict ${refused ? 'bad' : desk.isTyping || desk.state.previewing ? 'busy' : card.state === 'pending' ? 'ok' : 'bad'}`}>
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
