/** Colours take no room. What is safe to print holds no other escapes. */
const TOKENS = /\u001b\[[\d;]*m|[^]/gu
const COLOURS = /\u001b\[[\d;]*m/g
/** A text beside a head of a table has at least so much of the terminal. */
const MOST_HEAD = 0.5

interface Token {
  text: string
  room: number
}

/**
 * A line as rows of at most so many columns, broken between words, and inside of one only where no row could hold it.
 * The rows without what begins them are the line.
 *
 * @param rest what begins each row but the first
 * @param keepsLongWords a word that no row can hold is left to the terminal to break, as for an address; of the spaces
 *   where a row ends one may be left out
 */
export function brokenLine(
  line: string, columns: number,
  { rest = '', keepsLongWords = false }: { rest?: string; keepsLongWords?: boolean } = {},
): string[] {
  const hang = lineRoom(rest)
  const tokens = [...line.matchAll(TOKENS)].map(([text]) => ({ text, room: roomOf(text) }))
  const rows: string[] = []
  let row: Token[] = []
  let used = 0
  /** Where the row can be broken: tokens, and columns up to there. */
  let space = { tokens: 0, used: 0 }
  /** Columns of the first tokens that are no text: nothing is broken off behind them alone. */
  let margin = 0
  const close = (length: number, width: number): void => {
    rows.push(`${rows.length === 0 ? '' : rest}${row.slice(0, length).map(({ text }) => text).join('')}`)
    row = row.slice(length)
    used += hang - width
    space = { tokens: 0, used: 0 }
    margin = hang
  }
  for (const [at, token] of tokens.entries()) {
    if (used + token.room > columns) {
      if (keepsLongWords && token.text === ' ') {
        close(row.length, used)
        continue
      }
      const fits = space.used > margin && wordRoom(tokens, at - row.length + space.tokens) <= columns - hang
      if (fits) close(space.tokens, space.used)
      else if (!keepsLongWords) close(row.length, used)
    }
    row.push(token)
    used += token.room
    if (token.text !== ' ') continue
    if (used - token.room === margin) margin = used
    space = { tokens: row.length, used }
  }
  close(row.length, used)
  return rows
}

/**
 * Text of hermes' own for a terminal of so many columns: the rest of a line stands below its text, in a table below
 * what stands beside its head.
 */
export function foldLines(text: string, columns: number): string {
  return text.split('\n').map((line) => {
    if (lineRoom(line) <= columns) return line
    // What was put below a wide head stands nearer to the margin.
    const near = line.replace(/^ +/, (margin) => margin.slice(0, Math.floor(columns / 4)))
    const rest = ' '.repeat(hangOf(near.replace(COLOURS, ''), columns))
    const rows = brokenLine(near, columns, { rest, keepsLongWords: true })
    return rows.map((row, index) => (index === rows.length - 1 ? row : row.trimEnd())).join('\n')
  }).join('\n')
}

/** Columns that a line takes at most. */
export function lineRoom(line: string): number {
  if (isAscii(line)) return line.length
  return [...line.matchAll(TOKENS)].reduce((sum, [text]) => sum + roomOf(text), 0)
}

/** Below the text beside a head, where each of its words has room there; else a little behind the margin. */
function hangOf(line: string, columns: number): number {
  const margin = /^ */.exec(line)?.[0].length ?? 0
  const head = /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0].length ?? 0
  const longest = Math.max(...line.slice(head).split(' ').map(lineRoom))
  if (head > 0 && head <= columns * MOST_HEAD && longest <= columns - head) return head
  return Math.min(margin + (head > 0 ? 2 : 0), Math.floor(columns / 4))
}

/** Columns of the word that begins there. */
function wordRoom(tokens: readonly Token[], from: number): number {
  let room = 0
  for (let at = from; at < tokens.length && tokens[at]?.text !== ' '; at++) room += tokens[at]?.room ?? 0
  return room
}

/** All but ASCII may take two columns; a tab as many as eight. */
function roomOf(token: string): number {
  if (token.startsWith('\u001b[')) return 0
  return isAscii(token) ? 1 : token === '\t' ? 8 : 2
}

function isAscii(text: string): boolean {
  return /^[\u0020-\u007e]*$/.test(text)
}
