import { useContext, useMemo, useState } from 'preact/hooks'
import { ansiLines, outputLines } from '../ansi-lines.js'
import { coloursAtStart } from '../ansi-state.js'
import { type Fold, foldOf } from '../fold.js'
import { languageOf } from '../language.js'
import { exitWords } from '../page-words.js'
import type { PageOutput, PageText } from '../run-page-model.js'
import { LongLine, MoreButton, Tokens, Visible } from './code-text.js'
import { partsInColour } from './highlight.js'
import { memo } from './memo.js'
import { useRemembered, ViewContext } from './view.js'
import { Windowed } from './windowed.js'

/** Lines of a text that are shown at once: of output the end tells most. */
const OUTPUT = { head: 40, tail: 120 }
const TEXT = { head: 160, tail: 20 }
/** Lines that are drawn, and left out, together. */
const PART = 200
const LINE_HEIGHT = 20

/** What a command printed, in its colours, and how it ended. @param place unique in the page */
export const OutputView = memo(function OutputView({ output, place, name = 'Standard output' }: {
  output: PageOutput
  place: string
  name?: string
}) {
  const { stdout, stderr, exitCode } = output
  return <section class="output" aria-label="Output">
    <Stream name={name} text={stdout} place={`${place} stdout`} />
    <Stream name="Standard error" text={stderr} place={`${place} stderr`} />
    <p class="note">{exitWords(exitCode)}
      {stdout === '' && stderr === '' && ' It printed nothing.'}</p>
  </section>
})

function Stream({ name, text, place }: { name: string; text: string; place: string }) {
  const lines = useMemo(() => outputLines(text), [text])
  const draw = useMemo(() => {
    const starts = coloursAtStart(lines)
    return function Coloured(props: LinesProps) {
      return <AnsiLines {...props} start={starts[props.from] ?? ''} />
    }
  }, [lines])
  if (lines.length === 0) return null
  return <>
    <h4>{name}</h4>
    <Folded lines={lines} shown={OUTPUT} place={place} label={name} draw={draw} />
  </>
}

/** A text of any kind, e.g. what was read of a file. @param place unique in the page */
export const TextView = memo(function TextView({ content, label, place }: {
  content: PageText
  label: string
  place: string
}) {
  const lines = useMemo(() => content.text.replace(/\n$/, '').split('\n'), [content])
  const language = languageOf(content.path ?? '')
  const draw = useMemo(() => {
    const inColour = partsInColour(lines, language)
    return function Highlighted(props: LinesProps) {
      return <HighlightedLines {...props} inColour={inColour} />
    }
  }, [lines, language])
  return <Folded lines={lines} shown={TEXT} place={place} label={label} draw={draw} />
})

interface LinesProps {
  lines: readonly string[]
  /** Which of the text's lines the first is, from 0. */
  from: number
  place: string
}

interface FoldedProps extends Omit<LinesProps, 'from'> {
  label: string
  shown: { head: number; tail: number }
  draw: (props: LinesProps) => preact.JSX.Element
}

function Folded({ lines, shown, place, label, draw: Draw }: FoldedProps) {
  const { isPrinting } = useContext(ViewContext)
  const [isWhole, setWhole] = useRemembered(`${place} whole`, false)
  const fold = isWhole ? undefined : foldOf(lines.length, shown.head, shown.tail)
  return <div class="text-frame" tabIndex={0} role="region" aria-label={label}>
    {fold
      ? <FoldedLines lines={lines} fold={fold} isPrinting={isPrinting} place={place} Draw={Draw} unfold={() => setWhole(
        true,
      )} />
      : <Windowed count={lines.length} size={PART} estimate={(from, to) =>
        (to - from) * LINE_HEIGHT} draw={(from, to) => (
        <Draw lines={lines.slice(from, to)} from={from} place={`${place} ${from}`} />
      )} />}
  </div>
}

interface FoldedLinesProps extends Omit<LinesProps, 'from'> {
  fold: Fold
  isPrinting: boolean
  Draw: FoldedProps['draw']
  unfold: () => void
}

function FoldedLines({ lines, fold, isPrinting, place, Draw, unfold }: FoldedLinesProps) {
  const from = lines.length - fold.tail
  const words = `… ${fold.hidden.toLocaleString('en')} more lines`
  return <>
    <Draw lines={lines.slice(0, fold.head)} from={0} place={`${place} 0`} />
    {isPrinting ? <p class="note">{words}</p> : <MoreButton onClick={unfold}>{`${words}: show all`}</MoreButton>}
    <Draw lines={lines.slice(from)} from={from} place={`${place} ${from}`} />
  </>
}

function AnsiLines({ lines, place, start }: LinesProps & { start: string }) {
  const spans = useMemo(() => ansiLines(lines, start), [lines, start])
  return <div class="lines">{spans.map((line, index) => <span key={index} class="line">
    {line.map(({ text, classes }, at) => (classes === '' ? <LongLine text={text} place={`${place} ${index} ${at}`} />
      : <span class={classes}><LongLine text={text} place={`${place} ${index} ${at}`} /></span>))}{'\n'}
  </span>)}</div>
}

function HighlightedLines(
  { lines, from, place, inColour }: LinesProps & { inColour: ReturnType<typeof partsInColour> },
) {
  const tokens = useMemo(() => inColour(from, from + lines.length), [inColour, from, lines.length])
  return <div class="lines">{lines.map((text, index) => <span key={index} class="line">
    {text.length > 2000 ? <LongLine text={text} place={`${place} ${index}`} />
      : <Tokens tokens={tokens[index] ?? [{ text }]} />}{'\n'}
  </span>)}</div>
}

/** Of a line of plain text so much is shown at once, in UTF-16 units. */
const LONGEST_PLAIN = 4000

/**
 * A line or some, as plain text that keeps its breaks. Of very long lines the end is folded, and says so.
 *
 * @param isWhole what is agreed to is shown to its end
 */
export function PlainText({ text, isWhole = false }: { text: string; isWhole?: boolean }) {
  return <>{text.split('\n')
    .map((line, index) => <>{index > 0 && '\n'}<PlainLine text={line} isWhole={isWhole} /></>)}</>
}

function PlainLine({ text, isWhole }: { text: string; isWhole: boolean }) {
  const [isUnfolded, setUnfolded] = useState(isWhole)
  if (isUnfolded || text.length <= LONGEST_PLAIN) return <Visible text={text} />
  return <><Visible text={text.slice(0, LONGEST_PLAIN)} /><MoreButton onClick={() => setUnfolded(true)}>
    {`… ${(text.length - LONGEST_PLAIN).toLocaleString('en')} more characters in this line: show all`}</MoreButton></>
}
