/** A control character or sequence (ECMA-48). */
export interface Control {
  /** The control character itself, the final byte of a CSI sequence, or `ESC x`. */
  name: string
  counts: readonly number[]
  /** Whether it begins with `CSI ?`. */
  isPrivate: boolean
}

/** Printable text, a control sequence that may have an effect, or neither. */
export interface Token {
  end: number
  text?: string
  control?: Control
}

/* oxlint-disable no-control-regex -- they are what is looked for */
const PLAIN = /[^\u0000-\u001f\u007f-\u009f]+/y
const CSI = /\u001b\[([<=>?]?)([\d:;]*)[ -/]*([@-~])/y
const OPEN_CSI = /\u001b\[[<=>?]?[\d:;]*[ -/]*$/y
/** OSC, DCS, SOS, PM and APC sequences carry a text for the terminal itself. */
const TEXT_FOR_TERMINAL = /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|(?=\u001b[^\\]))/y
const OPEN_TEXT = /\u001b[\]PX^_][^\u0007\u001b]*\u001b?$/y
const SHORT = /\u001b(?:[ -/]+[0-~]|([0-~]))/y
const OPEN_SHORT = /\u001b[ -/]*$/y
/* oxlint-enable no-control-regex */
/** Longest unfinished sequence that is kept, in UTF-16 units; a longer one is not treated as a sequence. */
const MAX_OPEN = 4096
/** Largest count in a sequence. */
const MAX_COUNT = 10_000

/** The token at `at`; `undefined` where more text is needed to decide. */
export function nextToken(text: string, at: number): Token | undefined {
  const plain = match(PLAIN, text, at)
  if (plain) return { end: at + plain[0].length, text: plain[0] }
  if (text[at] !== '\u001b') return { end: at + 1, control: { name: text[at] ?? '', counts: [], isPrivate: false } }
  const csi = match(CSI, text, at)
  if (csi) {
    const [all, mark, list = '', name = ''] = csi
    const counts = list === '' ? [] : list.split(/[:;]/).map(count => Math.min(MAX_COUNT, Number(count)))
    const isOrdinary = mark === '' || mark === '?'
    return { end: at + all.length, ...(isOrdinary && { control: { name, counts, isPrivate: mark === '?' } }) }
  }
  const terminal = match(TEXT_FOR_TERMINAL, text, at)
  if (terminal) return { end: at + terminal[0].length }
  if (text.length - at < MAX_OPEN) {
    if ([OPEN_CSI, OPEN_TEXT, OPEN_SHORT].some(open => match(open, text, at) !== null)) return undefined
  } else if (match(OPEN_TEXT, text, at)) {
    // Drop only the opener, so that the rest is read as what it is.
    return { end: at + 1 }
  }
  const short = match(SHORT, text, at)
  if (!short) return { end: at + 1 }
  const [all, name] = short
  return {
    end: at + all.length, ...(name !== undefined && { control: { name: `ESC ${name}`, counts: [], isPrivate: false } }),
  }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
