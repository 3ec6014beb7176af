/** A shell at a pseudo terminal, and its screen as a page. */
import pty from '@lydell/node-pty'
import xterm from '@xterm/headless'

const COLUMNS = 100
const ROWS = 60
const MOST_MS = 60_000
/** Told by the shell each time it waits for a command; terminals show nothing of it. */
const READY = 'ready'
const COLOURS = [
  '#484f58', '#ff7b72', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#c9d1d9',
  '#6e7681', '#ffa198', '#7ee787', '#f2cc60', '#a5d6ff', '#e2c5ff', '#b3f0ff', '#ffffff',
]
const [FOREGROUND, BACKGROUND] = ['#d7dde4', '#161b22']
const [DAY, A_DAY] = [new Date().toISOString().slice(0, 10), '2026-01-02']
const STYLE = `
  body { margin: 0; background: transparent }
  main {
    display: inline-block; box-sizing: border-box; padding: 14px 18px; border-radius: 8px;
    background: ${BACKGROUND}; color: ${FOREGROUND};
  }
  div { font: 14px/19px 'DejaVu Sans Mono', monospace; white-space: pre; height: 19px }
`

export class Terminal {
  #terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, scrollback: 1000 })
  #shell
  #prompts = 0
  #seen = () => undefined

  /** @param {{ cwd: string, env: Record<string, string> }} place */
  constructor({ cwd, env }) {
    const prompt = `\\[\\e]0;${READY}\\a\\]\\[\\e[1m\\]$\\[\\e[0m\\] `
    this.#shell = pty.spawn('bash', ['--norc', '--noprofile'], {
      name: 'xterm-256color', cols: COLUMNS, rows: ROWS, cwd,
      env: { ...env, PS1: prompt, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    })
    this.#terminal.onTitleChange((title) => {
      if (title === READY) this.#prompts += 1
    })
    this.#shell.onData((data) => this.#terminal.write(data, () => this.#seen()))
    // What programs ask the terminal is answered by it.
    this.#terminal.onData((data) => this.#shell.write(data))
  }

  get text() {
    const { active } = this.#terminal.buffer
    return Array.from({ length: active.length }, (_, row) => active.getLine(row).translateToString(true)).join('\n')
      .trimEnd()
  }

  type(keys) {
    this.#shell.write(keys)
  }

  /** The shell waits for its first command. */
  ready() {
    return this.until(() => this.#prompts === 1)
  }

  /** Types a command when the shell waits for one, and waits until it has ended. */
  async run(command) {
    await this.until(() => this.#prompts > 0)
    const next = this.#prompts + 1
    this.type(`${command}\r`)
    await this.until(() => this.#prompts === next)
  }

  /** @param {string | (() => boolean)} wanted */
  async until(wanted) {
    const isSo = typeof wanted === 'string' ? () => this.text.includes(wanted) : wanted
    let timer
    await new Promise((resolve, reject) => {
      this.#seen = () => isSo() && resolve()
      timer = setTimeout(() => reject(new Error(`Not seen: ${wanted}. Seen:\n${this.text}`)), MOST_MS)
      this.#seen()
    }).finally(() => clearTimeout(timer))
    this.#seen = () => undefined
  }

  close() {
    this.#shell.kill('SIGKILL')
  }

  /** All that is on the screen, but for the prompt that waits below, and for the day on which the picture is made. */
  page() {
    const { active } = this.#terminal.buffer
    const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row))
    while (/^\$?$/.test(rows.at(-1).translateToString(true).trim())) rows.pop()
    return '<!doctype html><meta '
      + `charset="utf-8"><style>${STYLE}</style><main>${rows.map((row) => `<div>${drawn(row)}</div>`).join('')}</main>`
  }
}

/** A row as spans of cells that look alike. */
function drawn(row) {
  const spans = []
  for (let column = 0; column < row.length; column++) {
    const cell = row.getCell(column)
    if (cell.getWidth() === 0) continue
    const style = styleOf(cell)
    const text = cell.getChars() || ' '
    if (spans.at(-1)?.style === style) spans.at(-1).text += text
    else spans.push({ style, text })
  }
  return spans.map(({ style, text }) => `<span style="${style}">${escaped(text.replace(DAY, A_DAY))}</span>`).join('')
}

function styleOf(cell) {
  const ink = cell.isFgDefault() ? FOREGROUND : colour(cell.getFgColor(), cell.isFgRGB())
  const paper = cell.isBgDefault() ? undefined : colour(cell.getBgColor(), cell.isBgRGB())
  const [color, background] = cell.isInverse() ? [paper ?? BACKGROUND, ink] : [ink, paper]
  return [
    `color:${color}`, background && `background:${background}`, cell.isBold() && 'font-weight:bold',
    cell.isDim() && 'opacity:.65',
    cell.isItalic() && 'font-style:italic', cell.isUnderline() && 'text-decoration:underline',
  ].filter(Boolean).join(';')
}

/** Of the 256 colours of xterm, or of red, green and blue in a byte each. */
function colour(value, isRgb) {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  if (value < 16) return COLOURS[value]
  if (value >= 232) return `rgb(${Array(3).fill((value - 232) * 10 + 8).join()})`
  const level = (step) => (step === 0 ? 0 : step * 40 + 55)
  return `rgb(${[36, 6, 1].map((of) => level(Math.floor((value - 16) / of) % 6)).join()})`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
