import { isPlainObject } from '../../../0-contracts/src/index.js'
import { utf8Length } from '../strings/index.js'
import { isSecretName } from './secret-names.js'
import { maskTokenShapes } from './token-shapes.js'

/**
 * Shortest value to mask. Shorter ones are as likely ordinary words: masking them would spoil output and hide nothing.
 */
const SHORTEST = 8
/** Shortest part of a secret to mask where output was cut through it. */
const SHORTEST_PART = 4
const OMITTED = /(\n… \d+ bytes omitted …\n)/
const MARK = /\[masked ([^\]\n]{1,256})\]/g
/** User and password in a URL, as in `DATABASE_URL`. */
const ADDRESS_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i
/** Values that are no secrets whatever their variable is called: plain words, numbers, paths. */
const PLAIN_VALUE = /^(?:[a-z]{1,11}|[0-9]{1,10}|(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\\)[^\s]*|true|false|enabled|disabled)$/

/** Masks the values of secrets in everything a run shows or stores. */
export interface Masker {
  /** Masks a string; returns the same string where it holds no secret. */
  text(text: string): string
  /** Masks all strings of a JSON-like value, keys included; returns the same value where none holds a secret. */
  value<T>(value: T): T
}

interface Secret {
  name: string
  spelling: string
}

export interface MaskerOptions {
  /** Also mask what looks like a token by its form (`maskTokenShapes`). Default false. */
  shapes?: boolean
  /**
   * Keep sizes: a replacement has as many bytes as the secret, so that recorded sizes stay true. It is the variable's
   * name and asterisks, or only asterisks where the name does not fit; marks made by another masker are resized too.
   * Default false.
   */
  isSized?: boolean
}

/**
 * @param env variables by name; masked are values of those that are named like a secret, and passwords in URLs. The
 *   replacement names the variable: `[masked GITHUB_TOKEN]`
 */
export function createMasker(
  env: Readonly<Record<string, string | undefined>>, { shapes = false, isSized = false }: MaskerOptions = {},
): Masker {
  const secrets = secretsOf(env)
  if (secrets.length === 0) {
    return shapes ? { text: maskTokenShapes, value: value => masked(value, maskTokenShapes) as typeof value }
      : { text: text => text, value: value => value }
  }
  const names = new Map(secrets.map(({ spelling, name }) => [spelling, name]))
  // Longest first, so that a secret that contains another is masked as a whole.
  const pattern = new RegExp(
    secrets.map(({ spelling }) => spelling).sort((a, b) => b.length - a.length).map(escaped).join('|'), 'g',
  )
  const sizes = new Map(secrets.toReversed().map(({ name, spelling }) => [name, utf8Length(spelling)]))
  const sized = (input: string) => input.replace(MARK, (mark, name: string) => fitted(mark, sizes.get(name)))
  const named = (input: string) =>
    maskedCuts((isSized ? sized(input) : input).replace(pattern, match => {
      const mark = `[masked ${names.get(match) ?? 'secret'}]`
      return isSized ? fitted(mark, utf8Length(match)) : mark
    }), secrets)
  const text = shapes ? (input: string) => maskTokenShapes(named(input)) : named
  return { text, value: value => masked(value, text) as typeof value }
}

function fitted(mark: string, size = mark.length): string {
  return mark.length > size ? '*'.repeat(size) : mark.padEnd(size, '*')
}

/** Masks parts of secrets at the edges of output whose middle was left out (`CappedOutput` of 4-verb-run). */
function maskedCuts(input: string, secrets: readonly Secret[]): string {
  if (!OMITTED.test(input)) return input
  return input.split(OMITTED).map((part, index, parts) => {
    if (index % 2 === 1) return part
    const headless = index === 0 ? part : withoutEdge(part, secrets, 'start')
    return index === parts.length - 1 ? headless : withoutEdge(headless, secrets, 'end')
  }).join('')
}

/** Masks the longest part of a secret that stands at one edge of a text. */
function withoutEdge(text: string, secrets: readonly Secret[], edge: 'start' | 'end'): string {
  let [length, name] = [0, '']
  for (const secret of secrets) {
    for (let size = secret.spelling.length - 1; size > length && size >= SHORTEST_PART; size--) {
      const isThere = edge === 'start' ? text.startsWith(secret.spelling.slice(-size))
        : text.endsWith(secret.spelling.slice(0, size))
      if (isThere) [length, name] = [size, secret.name]
    }
  }
  if (length === 0) return text
  return edge === 'start' ? `[masked ${name}]${text.slice(length)}` : `${text.slice(0, -length)}[masked ${name}]`
}

function secretsOf(env: Readonly<Record<string, string | undefined>>): Secret[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const password = value.includes('://') ? ADDRESS_PASSWORD.exec(value)?.[1] : undefined
    const whole = isSecretName(name) && !PLAIN_VALUE.test(value) ? [value] : []
    const words = password === undefined ? whole : [...whole, password]
    return words.filter(word => word.length >= SHORTEST)
      .flatMap(word => spellings(word).map(spelling => ({ name, spelling })))
  })
}

/**
 * The forms in which a secret may appear: plain, escaped in JSON, URL-encoded, base64; also each long line of one with
 * several lines.
 */
function spellings(value: string): string[] {
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter(line => line.length >= 16) : []
  const forms = [value, JSON.stringify(value).slice(1, -1), encoded(value), base64(value)]
  return [...new Set([...forms, ...lines])].filter(form => form.length >= SHORTEST)
}

function encoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value
}

function base64(value: string): string {
  return btoa(Array.from(new TextEncoder().encode(value), byte => String.fromCharCode(byte)).join(''))
}

function masked(value: unknown, text: (input: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) {
    const items = value.map(item => masked(item, text))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [text(key), masked(item, text)] as const)
  const isSame = entries.every(([key, item]) => Object.hasOwn(value, key) && value[key] === item)
  return isSame ? value : Object.fromEntries(entries)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
