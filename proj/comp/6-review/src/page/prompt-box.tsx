import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { PlainText, Visible } from '../../../2-page/src/page/index.js'
import type { Prompt } from '../review-state.js'
import { ApprovalParts } from './approval-parts.js'
import { DeskContext } from './desk.js'

/** A question of the run, which waits for it. */
export function PromptBox({ prompt }: { prompt: Prompt }) {
  const desk = useContext(DeskContext)
  const box = useRef<HTMLElement>(null)
  const [text, setText] = useState(prompt.kind === 'question' ? prompt.defaultOption ?? '' : '')
  useEffect(() => box.current?.focus(), [prompt.id])
  const answer = (value: boolean | string): void =>
    void desk?.send({ type: 'answer', prompt: prompt.id, answer: value })
  const id = `prompt-${prompt.id}`
  const about = desk?.state.items.find(({ key }) => key === prompt.key)?.card
  return <section class="prompt" ref={box} tabIndex={-1} role="alertdialog" aria-labelledby={id}>
    <h2 id={id}>{prompt.kind === 'approval' ? 'May this run?' : 'The run asks you'}{about
      && <> <span class="subject"><Visible text={`${about.action ?? ''} ${about.blockId ?? ''}`} /></span></>}</h2>
    {prompt.kind === 'approval' && <>
      <p><PlainText text={prompt.request.reason} isWhole /></p>
      <ApprovalParts request={prompt.request} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => answer('deny')}>Deny</button>
        <button type="button" class="button danger" onClick={() => answer('once')}>Allow once</button>
        <button type="button" class="button danger" onClick={() => answer(
          'session',
        )}>Allow all of its kind in this run</button>
      </div>
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
