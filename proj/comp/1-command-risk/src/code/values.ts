import { ANY } from '../shell/taint.js'
import { STRING } from './mask.js'

/** A string, a list of strings, or unknown. */
export type Value = string | readonly string[] | undefined

const WHOLE_STRING = new RegExp(`^${STRING}$`)
/** Most of an expression to analyse, in UTF-16 units. */
const MOST_LOOKED_AT = 2000
/** Deepest nesting of lists and calls. */
const MOST_DEPTH = 6
const MOST_VARIABLES = 300
const ASSIGNMENT = /(?<![=!<>.\w])([$@]?[A-Za-z_]\w*)(?:\s*:\s*[\w[\]]+)?\s*=(?![=>~])\s*/g
const NAME = /^[$@]?[A-Za-z_]\w*$/

/** Evaluates expressions of masked code as far as they are literal. */
export class Values {
  readonly #variables = new Map<string, Value>()

  constructor(private readonly code: string, private readonly strings: readonly string[]) {
    for (const { 0: start, 1: name = '', index } of [...code.matchAll(ASSIGNMENT)].slice(0, MOST_VARIABLES)) {
      const [expression = ''] = this.#split(index + start.length, /[;\n,)]/)
      this.#variables.set(name, this.of(expression))
    }
  }

  /** The arguments of a call; its opening parenthesis ends at `at`. */
  argumentsAt(at: number): { args: Value[]; text: string } {
    const parts = this.#split(at, /,/)
    return { args: parts.map((part) => this.of(part)), text: parts.join() }
  }

  #split(at: number, separator: RegExp): string[] {
    return splitTop(this.code.slice(at, at + MOST_LOOKED_AT), separator)
  }

  #string(index: string | undefined): string {
    return this.strings[Number(index)] ?? ''
  }

  of(expression: string, depth = 0): Value {
    if (depth > MOST_DEPTH) return undefined
    const text = expression.trim()
    const whole = WHOLE_STRING.exec(text)
    if (whole) return this.#string(whole[1])
    if (NAME.test(text)) return this.#variables.get(text)
    const list = /^(?:\[([^]*)\]|\(([^]*,[^]*)\))$/.exec(text)
    if (list)
      return splitTop(list[1] ?? list[2] ?? '', /,/)
        .filter((part) => part.trim() !== '')
        .map((part) => textOf(this.of(part, depth + 1)))
    const joined = new RegExp(`^${STRING}\\.join\\(([^]*)\\)$`).exec(text)
    const items = joined ? this.of(joined[2] ?? '', depth + 1) : undefined
    if (joined && Array.isArray(items)) return items.join(this.#string(joined[1]))
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

/** Splits at matches outside all brackets, up to a bracket that closes one opened before the text. */
function splitTop(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    if (depth < 0) return [...parts, text.slice(from, at)]
    if (depth === 0 && separator.test(char)) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}
