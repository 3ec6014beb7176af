import { isInexact, MAX_DEPTH } from './strict-json.js'
import type { Flaw } from './flaw.js'
import { caught } from '../../../0-contracts/src/index.js'

/** A call in Python syntax. */
export interface PythonCall {
  name: string
  arguments: Record<string, unknown>
}

export type PythonReading = { ok: true; calls: PythonCall[] } | { ok: false; flaw: Flaw }

/**
 * Reads `f(a="x")` or `[f(a="x"), g(b=1)]`. Arguments must be keyword arguments with literals: strings, numbers,
 * `True`, `False`, `None`, lists, tuples and dictionaries. Anything else is an error: nothing is evaluated.
 *
 * @param isProgram it is a program of such calls only, one on each line, also as `print(f(a="x"))` or
 *   `default_api.f(a="x")`, with comments between
 */
export function readPython(text: string, isProgram: boolean): PythonReading {
  const reader = new PythonReader(text)
  return caught(
    PythonFlaw, () => ({ ok: true, calls: isProgram ? reader.statements() : reader.calls() }),
    (error) => ({ ok: false, flaw: { message: error.message, index: error.index, length: 0, hint: LITERALS } }),
  )
}

const LITERALS = 'Write NAME(key="value", other=1), with literals only; in strings \\n for a line break.'

class PythonFlaw extends Error {
  constructor(message: string, readonly index: number) {
    super(message)
  }
}

const WORD = /[A-Za-z_]\w*/y
const PATH = /[A-Za-z_][\w.]*/y
const PRINT = /print[ \t]*\(\s*(?=[A-Za-z_][\w.]*[ \t]*\()/y
/** White space, semicolons and comments. */
const GAP = /(?:[\s;]|#[^\n]*)+/y
const NUMBER = /-?(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][+-]?\d+)?/y
const STRING = /([rRbBuUfF]{0,2})("""|'''|"|')/y
const NAMES = new Map<string, unknown>([
  ['True', true], ['False', false], ['None', null], ['true', true], ['false', false], ['null', null],
])
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', '\\': '\\', '"': '"', "'": "'", '\n': '', '\r\n': '',
}
/** A character escape by number; escapes by name would need a table of all names. */
const CODE = /(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3}))|[xuUN]|\r\n/y

class PythonReader {
  #at = 0

  constructor(private readonly text: string) {}

  calls(): PythonCall[] {
    this.#blanks()
    const calls: PythonCall[] = []
    if (this.#takes('[')) this.#list(']', () => calls.push(this.#call()))
    else calls.push(this.#call())
    if (this.#at < this.text.length) this.#fail('Nothing but calls may stand here')
    if (calls.length === 0) this.#fail('The list holds no call')
    return calls
  }

  statements(): PythonCall[] {
    const calls: PythonCall[] = []
    for (this.#match(GAP); this.#at < this.text.length; this.#match(GAP)) {
      if (calls.length > 0 && !this.#beginsStatement()) this.#fail('Each call stands on a line of its own')
      if (this.#takes('[')) this.#list(']', () => calls.push(this.#printed()))
      else calls.push(this.#printed())
    }
    if (calls.length === 0) this.#fail('No call stands here')
    return calls
  }

  /** A call, optionally wrapped in `print()`. */
  #printed(): PythonCall {
    const isPrinted = this.#match(PRINT) !== undefined
    const call = this.#call()
    if (isPrinted && !this.#takes(')')) this.#fail(') must follow what is printed')
    return { ...call, name: call.name.replace(/^default_api\./, '') }
  }

  /** Whether the current place starts a statement: at the start of a line or behind a semicolon. */
  #beginsStatement(): boolean {
    let at = this.#at
    while (at > 0 && ' \t\r'.includes(this.text.charAt(at - 1))) at--
    return at === 0 || '\n;'.includes(this.text.charAt(at - 1))
  }

  #call(): PythonCall {
    const name = this.#match(PATH) ?? this.#fail('A call begins with the name of a tool')
    const args: Record<string, unknown> = {}
    if (!this.#takes('(')) this.#fail(`( must follow ${name}`)
    this.#list(')', () => {
      const start = this.#at
      const key = this.#match(WORD)
      if (key === undefined || !this.#takes('=')) this.#fail('Each argument has a name: key=value', start)
      if (Object.hasOwn(args, key)) this.#fail(`Argument '${key}' stands twice`, start)
      define(args, key, this.#value(0))
    })
    return { name, arguments: args }
  }

  #value(depth: number): unknown {
    const text = this.text
    if (depth > MAX_DEPTH) this.#fail(`Nested deeper than ${MAX_DEPTH}`)
    STRING.lastIndex = this.#at
    if (STRING.test(text)) return this.#string()
    if (this.#takes('[')) return this.#items(']', depth)
    if (this.#takes('(')) return this.#items(')', depth)
    if (this.#takes('{')) return this.#dictionary(depth)
    const start = this.#at
    const word = this.#match(WORD)
    if (word !== undefined && NAMES.has(word)) return NAMES.get(word)
    const digits = word === undefined ? this.#match(NUMBER) : undefined
    if (digits === undefined) this.#fail('The value is no literal', start)
    const number = Number(digits.replaceAll('_', ''))
    if (isInexact(number)) this.#fail('The number is beyond 2^53', start)
    return number
  }

  #items(close: string, depth: number): unknown[] {
    const items: unknown[] = []
    this.#list(close, () => items.push(this.#value(depth + 1)))
    return items
  }

  #dictionary(depth: number): Record<string, unknown> {
    const record: Record<string, unknown> = {}
    this.#list('}', () => {
      const start = this.#at
      const key = this.#value(depth + 1)
      if (typeof key !== 'string' || !this.#takes(':')) this.#fail('Keys of dictionaries are strings', start)
      if (Object.hasOwn(record, key)) this.#fail(`Key '${key}' stands twice`, start)
      define(record, key, this.#value(depth + 1))
    })
    return record
  }

  /** Comma-separated items, with an optional trailing comma. */
  #list(close: string, item: () => void): void {
    while (!this.#takes(close)) {
      item()
      if (this.#takes(close)) return
      if (!this.#takes(',')) this.#fail(`, or ${close} must follow`)
    }
  }

  /** Adjacent string literals are joined. */
  #string(): string {
    let value = ''
    for (STRING.lastIndex = this.#at; ; STRING.lastIndex = this.#at) {
      const opening = STRING.exec(this.text)
      if (!opening) return value
      const [whole, prefix = '', quotes = ''] = opening
      if (/[bf]/i.test(prefix)) this.#fail('The value is no plain string')
      value += this.#content(this.#at + whole.length, quotes, /r/i.test(prefix))
      this.#blanks()
    }
  }

  #content(start: number, quotes: string, isRaw: boolean): string {
    const text = this.text
    let value = ''
    for (let at = start; at < text.length; at++) {
      if (text.startsWith(quotes, at)) {
        this.#at = at + quotes.length
        return value
      }
      const char = text.charAt(at)
      if (char === '\n' && quotes.length === 1) break
      if (char !== '\\') value += char
      else if (isRaw) value += char + text.charAt(++at)
      else {
        CODE.lastIndex = at + 1
        const code = CODE.exec(text)
        const next = code?.[0] ?? text.charAt(at + 1)
        const hex = code?.[1] ?? code?.[2] ?? code?.[3]
        const point = hex === undefined ? parseInt(code?.[4] ?? '', 8) : parseInt(hex, 16)
        if (point > 0x10ffff || /^[xuUN]$/.test(next)) this.#fail('No such character', at)
        value += Number.isNaN(point) ? ESCAPES[next] ?? `\\${next}` : String.fromCodePoint(point)
        at += next.length
      }
    }
    return this.#fail('The string never ends', start)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.text)
    if (!match) return undefined
    this.#at = pattern.lastIndex
    this.#blanks()
    return match[0]
  }

  #takes(char: string): boolean {
    if (this.text.charAt(this.#at) !== char) return false
    this.#at++
    this.#blanks()
    return true
  }

  #blanks(): void {
    while (this.#at < this.text.length && this.text.charCodeAt(this.#at) <= 0x20) this.#at++
  }

  #fail(message: string, index = this.#at): never {
    throw new PythonFlaw(`Invalid call: ${message}`, index)
  }
}

/** Sets an own property of any name, also `__proto__`. */
export function define(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}
