import { useContext } from 'preact/hooks'
import { PlainText } from '../../../2-page/src/page/index.js'
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
  const { key, asks, edited, editable, mendable, ticked, refused } = item
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
      {edited && <span class="flag">edited</span>}
      {refused && <span class="flag">the last edit was not taken</span>}
    </div>}
  </>
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
