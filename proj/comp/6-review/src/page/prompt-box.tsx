import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { PlainText, Visible } from '../../../2-page/src/page/index.js'
import type { PromptAnswer } from '../prompts.js'
import type { Prompt } from '../review-state.js'
import { ApprovalParts } from './approval-parts.js'
import { DeskContext } from './desk.js'

/** A question of the run, which waits for it. */
export function PromptBox({ prompt }: { prompt: Prompt }) {
  const desk = useContext(DeskContext)
  const box = useRef<HTMLElement>(null)
  const [text, setText] = useState(prompt.kind === 'question' ? prompt.defaultOption ?? '' : '')
  useEffect(() => box.current?.focus(), [prompt.id])
  const answer = (value: PromptAnswer): void =>
    void desk?.send({ type: 'answer', prompt: prompt.id, answer: value })
  const id = `prompt-${prompt.id}`
  const about = desk?.state.items.find(({ key }) => key === prompt.key)?.card
  return <section class="prompt" ref={box} tabIndex={-1} role="alertdialog" aria-labelledby={id}>
    <h2 id={id}>{headingOf(prompt)}{about
      && <> <span class="subject"><Visible text={`${about.action ?? ''} ${about.blockId ?? ''}`} /></span></>}</h2>
    {prompt.kind === 'approval' && <>
      <p><PlainText text={prompt.request.reason} isWhole /></p>
      <ApprovalParts request={prompt.request} />
      {prompt.openings ? <Openings openings={prompt.openings} answer={answer} /> : <div class="buttons">
        <button type="button" class="button" onClick={() => answer('deny')}>Deny</button>
        <button type="button" class="button danger" onClick={() => answer('once')}>Allow once</button>
        <button type="button" class="button danger" onClick={() => answer(
          'session',
        )}>Allow all of its kind in this run</button>
      </div>}
    </>}
    {prompt.kind === 'confirmation' && <>
      <p><PlainText text={prompt.description} isWhole />{prompt.destructive && ' (It cannot be taken back.)'}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => answer(false)}>No</button>
        <button type="button" class={prompt.destructive ? 'button danger' : 'button'} onClick={() => answer(
          true,
        )}>Yes</button>
      </div>
    </>}
    {prompt.kind === 'question' && <>
      <p id={`${id}-question`}><PlainText text={prompt.question} isWhole /></p>
      {prompt.options ? <div class="buttons">{prompt.options.map((option) => (
        <button key={option} type="button" class="button" onClick={() => answer(
          option,
        )}><Visible text={option} /></button>
      ))}</div> : <form class="buttons" onSubmit={(event) => {
        event.preventDefault()
        answer(text)
      }}>
        <input value={text} aria-labelledby={`${id}-question`} onInput={({ currentTarget }) => setText(
          currentTarget.value,
        )} />
        <button type="submit" class="button primary">Answer</button>
      </form>}
    </>}
  </section>
}

function headingOf(prompt: Prompt): string {
  if (prompt.kind !== 'approval') return 'The run asks you'
  return prompt.openings ? 'The sandbox stopped this. Run it again with more?' : 'May this run?'
}

interface OpeningsProps {
  openings: NonNullable<Extract<Prompt, { kind: 'approval' }>['openings']>
  answer: (answer: PromptAnswer) => void
}

/** What can be opened to a command for one more run; each button names just that. */
function Openings({ openings, answer }: OpeningsProps) {
  return <>
    <div class="buttons">
      <button type="button" class="button" onClick={() => answer('deny')}>Leave it as it is</button>
    </div>
    {openings.map(({ access, opens }) => <div key={access} class="buttons">
      <button type="button" class="button danger" onClick={() => answer(
        { answer: 'once', access },
      )}>Again, {opens}</button>
      <button type="button" class="button danger" onClick={() => answer(
        { answer: 'session', access },
      )}>So for this command in this run</button>
    </div>)}
  </>
}
