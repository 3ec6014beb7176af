import type { RefObject } from 'preact'
import { EDIT_FORMATS, EDIT_FORMAT_SPECS, type EditFormat, type ReadFormat } from '../../../0-contracts/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { type Copied, TextToCopy, TextView } from '../../../2-page/src/page/index.js'
import type { Analysis } from '../analyse.js'
import type { PlaygroundExample } from '../playground-examples.js'

interface Props {
  draft: { text: string; formats: readonly ReadFormat[] }
  analysis: Analysis
  /** Whether the analysis is of an older text. */
  isBusy: boolean
  examples: readonly PlaygroundExample[]
  problem: string | undefined
  copied: Copied & { what: string } | undefined
  field: RefObject<HTMLTextAreaElement | null>
  onChange: (next: { text: string; formats?: readonly ReadFormat[] }) => void
  onCopy: (what: string, text: string) => void
  onShare: () => void
}

/** The editor for the answer, and the actions on it. */
export function Composer(props: Props) {
  const { draft, analysis, isBusy, examples, problem, copied, field, onChange } = props
  return <section class="composer" aria-label="The answer of the model">
    {problem !== undefined && <p class="notice refused" role="alert">{problem}</p>}
    <div class="edit">
      <label for="text">The model’s answer</label>
      <textarea id="text" ref={field} value={draft.text} wrap="off" spellcheck={false} autocomplete="off"
        autocapitalize="off" rows={16} placeholder="Paste an answer here"
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
        onPaste={(event) => pasteMuch(event, onChange)} onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }} />
    </div>
    <p class="verdict" role="status">{isBusy ? 'Reading…' : analysis.verdict}</p>
    <div class="row" role="group" aria-label="Examples"><span class="row-name">Examples</span>
      {examples.map(({ name, text, formats }) => <button key={name} type="button" class="chip"
        aria-pressed={text === draft.text} onClick={() => onChange({ text, formats })}>{name}</button>)}
      <button type="button" class="chip" onClick={() => {
        onChange({ text: '' })
        field.current?.focus()
      }}>Empty</button>
    </div>
    <Formats {...props} />
    <Products {...props} />
    {copied?.isCopied === false && <TextToCopy copied={copied} what={copied.what} />}
  </section>
}

/** The formats to read besides hermes' own blocks and calls; a link may name more than are offered. */
function Formats({ draft: { text, formats }, onChange }: Props) {
  return <fieldset class="row"><legend class="row-name">Read as well</legend>
    {[...new Set<ReadFormat>([...EDIT_FORMATS, ...formats])].map((format) => <label key={format} class="chip">
      <input type="checkbox" checked={formats.includes(format)} onChange={({ currentTarget: { checked } }) => onChange({
        text, formats: checked ? [...formats, format] : formats.filter((each) => each !== format),
      })} />{nameOf(format)}
    </label>)}
  </fieldset>
}

function nameOf(format: ReadFormat): string {
  return isEditFormat(format) ? EDIT_FORMAT_SPECS[format].called.replace(/^an? /, '') : `dialect ${format}`
}

function isEditFormat(format: ReadFormat): format is EditFormat {
  return Object.hasOwn(EDIT_FORMAT_SPECS, format)
}

/** Buttons for the reply, the fixed answer and a link, to view and copy. */
function Products({ analysis: { reply, mended }, isBusy, copied, onChange, onCopy, onShare }: Props) {
  return <div class="products">
    <div class="row">
      <button type="button" class="button primary" disabled={isBusy} onClick={() => onCopy('the reply', reply)}>
        Copy the reply</button>
      {mended && <>
        <button type="button" class="button" disabled={isBusy} onClick={() => onChange({ text: mended.text })}>
          {`Mend ${plural(mended.fixes, 'place')}`}</button>
        <button type="button" class="button" disabled={isBusy}
          onClick={() => onCopy('the mended answer', mended.text)}>
          Copy the mended answer</button>
      </>}
      <button type="button" class="button" onClick={onShare}>Copy a link</button>
      <span role="status" class="copied">{copied?.isCopied ? `Copied ${copied.what}` : ''}</span>
    </div>
    <details open>
      <summary>The reply that the model would get</summary>
      <p class="note">As far as the text alone can say: files, commands and parameters are looked at when it runs.</p>
      <TextView content={{ text: reply }} label="The reply to the model" place="reply" />
    </details>
    {mended && <details>
      <summary>The mended answer</summary>
      {mended.left > 0 && <p class="note">{`${plural(mended.left, 'error')} cannot be mended without a guess.`}</p>}
      <TextView content={{ text: mended.text, path: 'mended.md' }} label="The mended answer" place="mended" />
    </details>}
  </div>
}

/** Length from which a paste is set at once: inserted line by line, as browsers do, it would take seconds. */
const MUCH = 50_000

function pasteMuch(event: ClipboardEvent & { currentTarget: HTMLTextAreaElement }, onChange: Props['onChange']): void {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (text.length < MUCH) return
  event.preventDefault()
  const { currentTarget: field } = event
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  onChange({ text: field.value })
}

/** Selects lines of a text and scrolls to them; lines are not wrapped, so all have the same height. */
export function selectLines(field: HTMLTextAreaElement, first: number, last: number): void {
  const { value } = field
  const lineStart = (line: number): number => {
    let at = 0
    for (let count = 1; count < line && at >= 0; count++) at = value.indexOf('\n', at) + 1 || -1
    return at < 0 ? value.length + 1 : at
  }
  field.focus({ preventScroll: true })
  field.setSelectionRange(lineStart(first), Math.min(value.length, lineStart(last + 1) - 1))
  const height = Number.parseFloat(getComputedStyle(field).lineHeight)
  field.scrollTop = Math.max(0, (first - 3) * height)
  field.scrollLeft = 0
  field.scrollIntoView({ block: 'nearest' })
}
