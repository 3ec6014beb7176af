import { findDangers } from '../../../1-command-risk/src/index.js'

/** Most text remembered, in UTF-16 units; older text is forgotten from the start. */
const MOST = 16 * 1024
/* oxlint-disable-next-line no-control-regex -- keys are what is looked for */
const KEY = /\u001b\[[0-9;]*[A-Za-z~]|[\u0000-\u0008\u000b-\u001f\u007f]/g
const LEFT = '\u001b[D'
const RIGHT = '\u001b[C'

/**
 * What a shell, and programs in it, have been given to read: a danger may be spread over several calls. Keys that edit
 * a line are applied as a line editor without settings would.
 */
export class ShellText {
  /** Completed lines. */
  #ended = ''
  #line = ''
  #cursor = 0

  /** All of it. */
  get all(): string {
    return this.#ended + this.#line
  }

  /** All but the line not completed yet. */
  get before(): string {
    return this.#ended
  }

  /** Adds a command that was given whole: whatever it leaves open (a quote, a here document) ends with it. */
  add(command: string): void {
    this.#end(`${closedPart(command)}\n`)
  }

  /** The current line as it would be after typing `keys`, with the lines after it. Changes nothing. */
  after(keys: string): string {
    const copy = new ShellText()
    copy.#line = this.#line
    copy.#cursor = this.#cursor
    copy.type(keys)
    return copy.all
  }

  /** @param keys text, and keys as a terminal sends them */
  type(keys: string): void {
    let at = 0
    for (const { 0: key, index } of keys.matchAll(KEY)) {
      this.#insert(keys.slice(at, index))
      this.#press(key)
      at = index + key.length
    }
    this.#insert(keys.slice(at))
  }

  #insert(text: string): void {
    this.#line = this.#line.slice(0, this.#cursor) + text + this.#line.slice(this.#cursor)
    this.#cursor += text.length
  }

  #press(key: string): void {
    const { length } = this.#line
    if (key === '\r') this.#end(`${this.#line}\n`)
    else if (key === '\u0003') this.#end('')
    else if (key === '\u007f' || key === '\b') this.#cut(Math.max(0, this.#cursor - 1), this.#cursor)
    else if (key === '\u0015') this.#cut(0, this.#cursor)
    else if (key === '\u000b') this.#cut(this.#cursor, length)
    else if (key === LEFT || key === '\u0002') this.#cursor = Math.max(0, this.#cursor - 1)
    else if (key === RIGHT || key === '\u0006') this.#cursor = Math.min(length, this.#cursor + 1)
    else if (key === '\u0001') this.#cursor = 0
    else if (key === '\u0005') this.#cursor = length
  }

  #cut(from: number, to: number): void {
    this.#line = this.#line.slice(0, from) + this.#line.slice(to)
    this.#cursor = from
  }

  #end(text: string): void {
    this.#ended = (this.#ended + text).slice(-MOST)
    this.#line = ''
    this.#cursor = 0
  }
}

/** A dangerous command that is recognised only where it stands outside of quotes; no function has such a name. */
const PROBE = '/bin/rm -rf ./hermes-probe'
/** Most lines tried, from the end. */
const MOST_LINES = 200

/**
 * The lines of a command that leave nothing open, so that another command could follow: the shell runs those, and fails
 * at the rest.
 */
function closedPart(command: string): string {
  // A shell ignores a backslash at the very end.
  const lines = command.replace(/\\$/, '').split('\n')
  for (let count = lines.length; count > Math.max(0, lines.length - MOST_LINES); count--) {
    const part = lines.slice(0, count).join('\n')
    const risks = findDangers({ kind: 'shell', text: `${part}\n${PROBE}` })
    if (risks.some(({ command: one }) => one === PROBE) && !risks.some(({ name }) => name === 'unreadable command')) {
      return part
    }
  }
  return ''
}
