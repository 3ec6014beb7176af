import type { JSX } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { type DiffLine, type DiffRow, inlineOf, rowsOf } from '../diff-rows.js'
import { foldOf } from '../fold.js'
import { languageOf } from '../language.js'
import { CHANGE_WORDS, hunkWords } from '../page-words.js'
import type { DiffHunk, PageChange } from '../run-page-model.js'
import { LongLine, MoreButton, Tokens, Visible } from './code-text.js'
import { highlightLines, type Token } from './highlight.js'
import { memo } from './memo.js'
import { useRemembered, ViewContext } from './view.js'

/** What a block did to one path: a line that says it, and the lines that changed. @param place unique in the page */
export const DiffView = memo(function DiffView({ change, place }: { change: PageChange; place: string }) {
  const { diffMode } = useContext(ViewContext)
  const { kind, path, from, added, removed, hunks, note } = change
  return <section class="change" aria-label={`${CHANGE_WORDS[kind]}: ${path}`}>
    <p class="change-head">
      <span class="change-kind">{CHANGE_WORDS[kind]}</span>{' '}
      <span class="path">{from !== undefined && <><Visible text={from} />{' → '}</>}<Visible text={path} /></span>{' '}
      <LineCounts added={added} removed={removed} />
    </p>
    {note !== undefined && <p class="note">{note}</p>}
    {hunks.length > 0
      && <Hunks hunks={hunks} path={path} place={place} isInline={diffMode === 'inline' || kind !== 'modify'} />}
  </section>
})

/** `+3 −1`. */
export function LineCounts({ added, removed }: { added: number; removed: number }) {
  if (added + removed === 0) return null
  return <span class="counts">
    {added > 0
      && <span class="plus">{`+${added}`}<span class="hidden">{added === 1 ? ' line' : ' lines'}</span></span>}{' '}
    {removed > 0
      && <span class="minus">{`−${removed}`}<span class="hidden">{removed === 1 ? ' line' : ' lines'}</span></span>}
  </span>
}

/** Rows of a diff that are shown at once. */
const [HEAD, TAIL] = [240, 60]

interface TableRow extends DiffRow {
  /** Stands over the first row of a hunk. */
  heading?: string
}

function Hunks(
  { hunks, path, place, isInline }: { hunks: readonly DiffHunk[]; path: string; place: string; isInline: boolean },
) {
  const { isPrinting } = useContext(ViewContext)
  const [isWhole, setWhole] = useRemembered(`${place} whole`, false)
  const rows = useMemo(() => hunks.flatMap((hunk): TableRow[] => {
    const sides = rowsOf(hunk)
    const [first, ...rest] = isInline ? inlineOf(sides) : sides
    return first ? [{ ...first, heading: hunkWords(hunk) }, ...rest] : []
  }), [hunks, isInline])
  const fold = isWhole ? undefined : foldOf(rows.length, HEAD, TAIL)
  const tokens = useMemo(() => tokensOf(rows, path), [rows, path])
  const draw = (some: readonly TableRow[], from: number): JSX.Element[] => some.flatMap((row, index) => [
    ...(row.heading !== undefined && hunks.length > 1
      ? [<tr key={`h${from + index}`} class="hunk"><td colSpan={4}>{row.heading}</td></tr>] : []),
    isInline ? <InlineRow key={from + index} row={row} tokens={tokens} place={`${place} ${from + index}`} />
      : <SideRow key={from + index} row={row} tokens={tokens} place={`${place} ${from + index}`} />,
  ])
  return <div class="diff-frame" tabIndex={0} role="region" aria-label={`Lines of ${path}`}>
    <table class={isInline ? 'diff inline' : 'diff side'}>
      <colgroup>{isInline ? <><col class="number" /><col class="number" /><col class="sign" /><col /></>
        : <><col class="number" /><col /><col class="number" /><col /></>}</colgroup>
      <tbody>
        {draw(fold ? rows.slice(0, fold.head) : rows, 0)}
        {fold && <tr class="hunk"><td colSpan={4}>{isPrinting ? `… ${fold.hidden} more lines` : (
          <MoreButton onClick={() => setWhole(
            true,
          )}>{`… ${fold.hidden.toLocaleString('en')} more lines: show all`}</MoreButton>
        )}</td></tr>}
        {fold && draw(rows.slice(rows.length - fold.tail), rows.length - fold.tail)}
      </tbody>
    </table>
  </div>
}

/** By side, since each is a text of its own to the grammar. */
function tokensOf(rows: readonly TableRow[], path: string): Map<DiffLine, Token[]> {
  const language = languageOf(path)
  const byLine = new Map<DiffLine, Token[]>()
  for (const side of ['left', 'right'] as const) {
    const lines = rows.flatMap((row) => (row[side] && row[side].kind !== 'note' ? [row[side]] : []))
    for (const [index, tokens] of highlightLines(lines.map(({ text }) => text), language).entries()) {
      const line = lines[index]
      if (line) byLine.set(line, tokens)
    }
  }
  return byLine
}

interface RowProps {
  row: TableRow
  tokens: ReadonlyMap<DiffLine, Token[]>
  place: string
}

function SideRow({ row: { left, right }, tokens, place }: RowProps) {
  return <tr>
    <td class={`number ${left?.kind ?? 'none'}`} data-n={left?.number} />
    <td class={`code ${left?.kind ?? 'none'}`}>{left && <Code line={left} tokens={tokens} place={`${place} l`} />}</td>
    <td class={`number ${right?.kind ?? 'none'}`} data-n={right?.number} />
    <td class={`code ${right?.kind ?? 'none'}`}>{right
      && <Code line={right} tokens={tokens} place={`${place} r`} />}</td>
  </tr>
}

function InlineRow({ row: { left, right }, tokens, place }: RowProps) {
  const line = left ?? right
  if (!line) return null
  return <tr>
    <td class={`number ${line.kind}`} data-n={left?.number} />
    <td class={`number ${line.kind}`} data-n={right?.number} />
    <td class={`sign ${line.kind}`}>{line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ''}</td>
    <td class={`code ${line.kind}`}><Code line={line} tokens={tokens} place={place} /></td>
  </tr>
}

function Code({ line, tokens, place }: { line: DiffLine; tokens: ReadonlyMap<DiffLine, Token[]>; place: string }) {
  const { kind, text, changed } = line
  const tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : undefined
  const content = line.text.length > 2000 ? <LongLine text={text} place={place} />
    : <Tokens tokens={tokens.get(line) ?? [{ text }]} changed={changed} />
  if (tag === 'ins') return <ins class="line">{content}</ins>
  return tag === 'del' ? <del class="line">{content}</del> : <span class="line">{content}</span>
}
