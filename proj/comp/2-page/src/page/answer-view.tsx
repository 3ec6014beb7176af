import { useEffect, useMemo, useState } from 'preact/hooks'
import { type MarkedLine, markLines } from '../mark-lines.js'
import type { PageItem } from '../run-page-model.js'
import { LongLine, Visible } from './code-text.js'
import { memo } from './memo.js'
import { StateMark, useStateWords } from './state-mark.js'
import { Windowed } from './windowed.js'

export interface AnswerProps {
  lines: readonly string[]
  items: readonly PageItem[]
  /** 1-based line to go to; a new object each time. */
  target: { line: number } | undefined
  onItem: (key: string) => void
}

/** The answer as it was written, with what was read out of it marked in its place. */
export const AnswerView = memo(function AnswerView({ lines, items, target, onItem }: AnswerProps) {
  const marks = useMemo(() => markLines(lines.length, items), [lines, items])
  const [reached, setReached] = useState(0)
  useEffect(() => {
    if (!target) return
    const line = document.getElementById(`line-${target.line}`)
    line?.scrollIntoView({ block: 'center' })
    // What is drawn on the way may push it away.
    const again = requestAnimationFrame(() => line?.scrollIntoView({ block: 'center' }))
    setReached(target.line)
    return () => cancelAnimationFrame(again)
  }, [target])
  return <section class="answer" aria-label="The answer">
    <Windowed count={lines.length} size={100} estimate={(from, to) =>
      (to - from) * 21} pinned={target && target.line - 1} draw={(from, to) => (
      lines.slice(from, to).map((text, index) => (
        <Line key={from + index} text={text} number={from + index + 1} mark={marks[from
          + index]} isTarget={reached === from + index + 1} onItem={onItem} />
      ))
    )} />
  </section>
})

interface LineProps {
  text: string
  number: number
  mark: MarkedLine | undefined
  isTarget: boolean
  onItem: (key: string) => void
}

const Line = memo(function Line({ text, number, mark, isTarget, onItem }: LineProps) {
  const state = mark?.inside?.state
  const words = useStateWords()
  return <>
    {mark?.begins?.map((item) => <p key={item.key} class={`span-head span-${item.state}`}>
      <button type="button" class="link" onClick={() => onItem(item.key)}>
        <StateMark state={item.state} /><Visible text={item.action
          || (item.blockId === undefined ? 'a block' : `block ${item.blockId}`)} />{' '}
        <span class="subject"><Visible text={item.subject} /></span>
      </button>{' '}
      <span class="span-state">{item.reason === undefined ? words[item.state]
        : <Visible text={`${words[item.state]}: ${item.reason}`} />}</span>
    </p>)}
    <div id={`line-${number}`} data-n={number}
      class={`answer-line${state === undefined ? '' : ` span-${state}`}${isTarget ? ' target' : ''}`}>
      <span class="line"><LongLine text={text} place={`answer ${number}`} />{'\n'}</span>
    </div>
  </>
})
