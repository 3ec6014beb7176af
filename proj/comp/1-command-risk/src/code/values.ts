import { ANY } from '../shell/taint.js'
import { type MaskedCode, STRING } from './mask.js'

/** A string, a list of strings, or unknown. */
export type Value = string | readonly string[] | undefined

const WHOLE_STRING = new RegExp(`^[rbuf]?${STRING}$`)
/** Most of an expression to analyse, in UTF-16 units. */
const MOST_LOOKED_AT = 2000
/** Deepest nesting of lists and calls. */
const MOST_DEPTH = 6
const MOST_VARIABLES = 300
const NAME = /^[$@]?[A-Za-z_]\w*$/

/** Evaluates expressions of masked code as far as they are literal. */
export class Values {
  readonly #masked: MaskedCode
  readonly #variables = new Map<string, Value>()

  constructor(masked: MaskedCode) {
    this.#masked = masked
    let again = 0
    const assignment = /(?<![=!<>.\w])([$@]?[A-Za-z_]\w*)(?:\s*:\s*[\w[\]]+)?\s*=(?![=>~])\s*/g
    for (
      let match = assignment.exec(masked.code);
      match && this.#variables.size < MOST_VARIABLES;
      match = assignment.exec(masked.code)
    ) {
      if (this.#variables.has(match[1] ?? '') && ++again > MOST_VARIABLES) break
      const [expression = ''] = splitTop(
        masked.code.slice(assignment.lastIndex, assignment.lastIndex + MOST_LOOKED_AT),
        /[;\n,)]/,
      )
      this.#variables.set(match[1] ?? '', this.of(expression))
    }
  }

  /** The arguments of a call; its opening parenthesis ends at `at`. */
  argumentsAt(at: number): { values: Value[]; text: string } {
    const code = this.#masked.code.slice(at, at + MOST_LOOKED_AT)
    const text = code.slice(0, closing(code))
    return { values: splitTop(text, /,/).map((part) => this.of(part)), text }
  }

  string(index: string | undefined): string {
    return this.#masked.strings[Number(index)] ?? ''
  }

  of(expression: string, depth = 0): Value {
    if (depth > MOST_DEPTH) return undefined
    const text = expression.trim()
    const whole = WHOLE_STRING.exec(text)
    if (whole) return this.string(whole[1])
    if (NAME.test(text)) return this.#variables.get(text)
    const list = /^(?:\[([^]*)\]|\(([^]*,[^]*)\))$/.exec(text)
    if (list)
      return splitTop(list[1] ?? list[2] ?? '', /,/)
        .filter((part) => part.trim() !== '')
        .map((part) => textOf(this.of(part, depth + 1)))
    const joined = new RegExp(`^${STRING}\\.join\\(([^]*)\\)$`).exec(text)
    const items = joined ? this.of(joined[2] ?? '', depth + 1) : undefined
    if (joined && Array.isArray(items)) return items.join(this.string(joined[1]))
    const split = /^([^]*)\.split\([^()]*\)$/.exec(text)
    if (split) return textOf(this.of(split[1] ?? '', depth + 1)).split(/\s+/)
    const call = /^([^]*)\.(?:encode|strip|trim|toString|format|decode)\([^()]*\)$/.exec(text)
    if (call) return this.of(call[1] ?? '', depth + 1)
    const parts = splitTop(text, /[+.%]/)
    if (parts.length < 2) return undefined
    const values = parts.map((part) => this.of(part, depth + 1))
    return values.some((value) => value !== undefined) ? values.map(textOf).join('') : undefined
  }
}

/** A value as a single string. */
export function textOf(value: Value): string {
  return value === undefined ? ANY : typeof value === 'string' ? value : value.join(' ')
}

/** Index of the parenthesis that closes one opened before the code. */
function closing(code: string): number {
  let depth = 1
  for (let index = 0; index < code.length; index++) {
    const char = code[index] ?? ''
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char) && --depth === 0) return index
  }
  return code.length
}

/** Splits at matches outside all brackets. */
function splitTop(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    if (depth < 0) {
      parts.push(text.slice(from, at))
      return parts
    }
    if (depth === 0 && separator.test(char)) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}
