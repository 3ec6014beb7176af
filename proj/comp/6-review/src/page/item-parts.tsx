import { useContext, useEffect, useState } from 'preact/hooks'
import { DiffView, PlainText } from '../../../2-page/src/page/index.js'
import type { Ask, ReviewItem } from '../review-state.js'
import { ApprovalParts, shownOf } from './approval-parts.js'
import { DeskContext } from './desk.js'
import { EditBox } from './edit-box.js'

const WHY: Readonly<Record<NonNullable<Ask['kind']>, string>> = {
  dangerous: 'This command is dangerous', unsandboxed: 'Nothing would contain this command',
  policy: 'Your policy asks first', confirm: 'It asks first', hooks: 'The project has hooks',
  escalation: 'The sandbox stopped this command',
}

/** The box that says whether a block runs. */
export function Tick({ item }: { item: ReviewItem }) {
  const desk = useContext(DeskContext)
  const { key, ticked, card } = item
  if (desk?.state.phase !== 'review' && desk?.state.phase !== 'checking') return null
  const name = [card.action ?? 'block', card.subject || card.blockId].filter(Boolean).join(' ')
  return <label class="tick">
    <input type="checkbox" checked={ticked} disabled={desk.state.phase !== 'review'} aria-label={`Run ${name}`}
      onChange={({ currentTarget }) => void desk.send({ type: 'tick', keys: [key], on: currentTarget.checked })} />
  </label>
}

/** What stands below the heading of a block: what it asks, and the ways to change it. */
export function Tools({ item }: { item: ReviewItem }) {
  const desk = useContext(DeskContext)
  if (!desk) return null
  const { key, asks, edited, editable, mendable, ticked, refused, live, edit, mended } = item
  const isReview = desk.state.phase === 'review'
  const isEditing = isReview && desk.editing.has(key)
  return <>
    {isReview && ticked && asks.map((ask, index) => <Question key={index} ask={ask} itemKey={key} index={index} />)}
    {isEditing ? <EditBox item={item} /> : (isReview || edited) && <div class="card-tools">
      {isReview && editable && <button type="button" onClick={() => desk.onEditing(
        key, true,
      )}>Edit<span class="hidden">{` block ${item.card.blockId ?? key}`}</span></button>}
      {isReview && mendable && <button type="button" onClick={() => void desk.send(
        { type: 'mend', key },
      )}>Mend<span class="hidden">{` block ${item.card.blockId ?? key}`}</span></button>}
      {isReview && item.card.state === 'failed' && <span class="flag bad">would fail</span>}
      {isReview && item.card.state === 'unparsed' && <span class="flag bad">cannot run</span>}
      {edited && <span class="flag">{mended ? 'mended' : 'edited'}</span>}
      {refused && <span class="flag">the last edit was not taken</span>}
    </div>}
    {edit && !isEditing && <div class="card-edit">
      <p class="note">{mended ? 'The fix, against the answer:' : 'Your edit, against the answer:'}</p>
      <DiffView change={edit} place={`${key} edit`} />
    </div>}
    {live && <Live live={live} />}
  </>
}

/** How long a block has run, and what it printed last. */
function Live({ live: { since, lines } }: { live: NonNullable<ReviewItem['live']> }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000))
  return <div class="live">
    <p class="note">{`Running for ${seconds} s`}{lines.length > 0 && '. It printed last:'}</p>
    {lines.length > 0 && <pre class="command" tabIndex={0} aria-label="The last lines that it printed"><PlainText
      text={lines.join('\n')} /></pre>}
  </div>
}

function Question({ ask, itemKey, index }: { ask: Ask; itemKey: string; index: number }) {
  const desk = useContext(DeskContext)
  const { kind = 'confirm', reason, approved } = ask
  return <div class={approved ? 'ask agreed' : 'ask'}>
    <p><strong>{WHY[kind]}.</strong>{' '}<PlainText text={reason} isWhole /></p>
    <ApprovalParts request={ask} />
    <label><input type="checkbox" checked={approved}
      onChange={({ currentTarget }) => void desk?.send(
        {
          type: 'approve', key: itemKey, ask: index, about: shownOf(ask), on: currentTarget.checked,
        },
      )} />
      Approve it for this run</label>
  </div>
}
