/** One character, or a colour escape, which takes no columns. Text that is safe to print has no other escapes. */
const TOKENS = /\u001b\[[\d;]*m|[^]/gu
const COLOURS = /\u001b\[[\d;]*m/g
/** Greatest share of the terminal's width that the first column of a table may take to keep text beside it. */
const MOST_HEAD = 0.5

interface Token {
  text: string
  room: number
}

/**
 * Breaks a line into rows of at most `columns`: between words, and inside a word only where no row could hold it. The
 * rows without their prefixes add up to the line.
 *
 * @param rest prefix of each row but the first
 * @param keepsLongWords leave a word that is too long for any row unbroken, e.g. a URL; a space at the end of a row may
 *   then be dropped
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
  /** The last place where the row can be broken: count of tokens, and columns up to there. */
  let space = { tokens: 0, used: 0 }
  /** Columns of the leading spaces: the row is not broken right behind them. */
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
 * Folds hermes' own text for a terminal: continuation rows are indented below the line's text, in a table below its
 * second column.
 */
export function foldLines(text: string, columns: number): string {
  return text.split('\n').map((line) => {
    if (lineRoom(line) <= columns) return line
    // A line that already stands below a wide first column moves nearer to the margin.
    const near = line.replace(/^ +/, (margin) => margin.slice(0, Math.floor(columns / 4)))
    const rest = ' '.repeat(hangOf(near.replace(COLOURS, ''), columns))
    const rows = brokenLine(near, columns, { rest, keepsLongWords: true })
    return rows.map((row, index) => (index === rows.length - 1 ? row : row.trimEnd())).join('\n')
  }).join('\n')
}

/** Most columns that a line can take. */
export function lineRoom(line: string): number {
  if (isAscii(line)) return line.length
  return [...line.matchAll(TOKENS)].reduce((sum, [text]) => sum + roomOf(text), 0)
}

/** First column of a table row, with a status mark or without, where text follows it. */
const HEADS = [/^ *(?:[✓✗!–] {2})\S+(?: \S+)* {2,}(?=\S)/, /^ *\S+(?: \S+)* {2,}(?=\S)/]

/**
 * Indentation of continuation rows: below the second column if its words fit there, else slightly behind the margin.
 */
function hangOf(line: string, columns: number): number {
  const margin = /^ */.exec(line)?.[0].length ?? 0
  const heads = HEADS.map((head) => head.exec(line)?.[0].length ?? 0).filter((head) => head > 0)
  const roomy = heads.find((head) => {
    const longest = Math.max(...line.slice(head).split(' ').map(lineRoom))
    return head <= columns * MOST_HEAD && longest <= columns - head
  })
  return roomy ?? Math.min(margin + (heads.length > 0 ? 2 : 0), Math.floor(columns / 4))
}

/** Columns of the word that begins at `from`. */
function wordRoom(tokens: readonly Token[], from: number): number {
  let room = 0
  for (let at = from; at < tokens.length && tokens[at]?.text !== ' '; at++) room += tokens[at]?.room ?? 0
  return room
}

/** Columns of one character: a tab at most 8, any character outside ASCII at most 2. */
function roomOf(token: string): number {
  if (token.startsWith('\u001b[')) return 0
  return isAscii(token) ? 1 : token === '\t' ? 8 : 2
}

function isAscii(text: string): boolean {
  return /^[\u0020-\u007e]*$/.test(text)
}
