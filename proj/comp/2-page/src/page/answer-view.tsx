import { useEffect, useMemo, useState } from 'preact/hooks'
import { type MarkedLine, markLines } from '../mark-lines.js'
import type { ProsePart } from '../prose/answer-prose.js'
import { answerRows, rowOfLine } from '../prose/answer-rows.js'
import type { PageItem } from '../run-page-model.js'
import { LongLine, Visible } from './code-text.js'
import { MarkdownView } from './markdown-view.js'
import { memo } from './memo.js'
import { StateMark, useStateWords } from './state-mark.js'
import { Windowed } from './windowed.js'

export interface AnswerProps {
  lines: readonly string[]
  items: readonly PageItem[]
  /** What is shown as it reads; all else is shown as it was written. */
  parts: readonly ProsePart[]
  /** All of it is shown as it was written, and how that is changed; absent where there is no choice. */
  isWritten?: boolean
  onWritten?: (isWritten: boolean) => void
  /** 1-based line to go to; a new object each time. */
  target: { line: number } | undefined
  onItem: (key: string) => void
}

/** The answer: its prose as it reads, its blocks as they were written, with what was read out marked in its place. */
export const AnswerView = memo(function AnswerView(props: AnswerProps) {
  const { lines, items, parts, isWritten = false, onWritten, target, onItem } = props
  const marks = useMemo(() => markLines(lines.length, items), [lines, items])
  const rows = useMemo(() => answerRows(lines.length, parts), [lines, parts])
  const at = target && rowOfLine(rows, target.line)
  const [reached, setReached] = useState(0)
  useEffect(() => {
    if (!target) return
    const row = document.getElementById(`line-${rows[rowOfLine(rows, target.line)]?.line}`)
    row?.scrollIntoView({ block: 'center' })
    // What is drawn on the way may push it away.
    const again = requestAnimationFrame(() => row?.scrollIntoView({ block: 'center' }))
    setReached(target.line)
    return () => cancelAnimationFrame(again)
  }, [target, rows])
  return <section class="answer" aria-label="The answer">
    {onWritten && <p class="answer-as"><button type="button" class="button" aria-pressed={isWritten}
      onClick={() => onWritten(!isWritten)}>As written <kbd>w</kbd></button></p>}
    <Windowed count={rows.length} size={100} estimate={(from, to) =>
      (lineOf(rows, to, lines.length) - lineOf(rows, from, lines.length)) * 21} pinned={at} draw={(from, to) => (
      rows.slice(from, to).map(({ line, part }, index) => {
        const isTarget = target !== undefined && reached === target.line && from + index === at
        return part ? <Part key={line} part={part} isTarget={isTarget} />
          : <Line key={line} text={lines[line - 1] ?? ''} number={line} mark={marks[line - 1]} isTarget={isTarget}
            onItem={onItem} />
      })
    )} />
  </section>
})

/** Where a row begins; behind the last one, where the answer ends. */
function lineOf(rows: readonly { line: number }[], at: number, count: number): number {
  return rows[at]?.line ?? count + 1
}

/** A piece of prose, by the number of its first line. */
const Part = memo(function Part({ part: { startLine, nodes }, isTarget }: { part: ProsePart; isTarget: boolean }) {
  return <div id={`line-${startLine}`} data-n={startLine} class={`answer-line${isTarget ? ' target' : ''}`}>
    <MarkdownView nodes={nodes} />
  </div>
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
