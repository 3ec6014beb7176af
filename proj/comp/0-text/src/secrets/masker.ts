import { isSecretName } from './secret-names.js'
import { maskTokenShapes } from './token-shapes.js'

/** Shorter values are as likely an ordinary word: masking them would spoil output and hide nothing. */
const SHORTEST = 8
/** Of a secret that was cut. */
const SHORTEST_PART = 4
const OMITTED = /(\n… \d+ bytes omitted …\n)/
/** User and password of an address, as in `DATABASE_URL`. */
const ADDRESS_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i
/** Values that stand for no secret whatever the name is: plain words, numbers, places. */
const PLAIN_VALUE = /^(?:[a-z]{1,11}|[0-9]{1,10}|(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\\)[^\s]*|true|false|enabled|disabled)$/

/** Replaces the values of secrets in whatever a run shows or keeps. */
export interface Masker {
  /** In text; the same text where there is none. */
  text(text: string): string
  /** In all strings of a JSON-like value, keys included; the same value where there is none. */
  value<T>(value: T): T
}

interface Secret {
  name: string
  spelling: string
}

export interface MaskerOptions {
  /** Also mask what looks like a secret by its form (`maskTokenShapes`). Default false. */
  shapes?: boolean
}

/**
 * @param env names and values; what looks like a secret by its name, and passwords in addresses, are masked. The
 *   replacement names the variable: `[masked GITHUB_TOKEN]`
 */
export function createMasker(
  env: Readonly<Record<string, string | undefined>>, { shapes = false }: MaskerOptions = {},
): Masker {
  const secrets = secretsOf(env)
  if (secrets.length === 0) {
    return shapes ? { text: maskTokenShapes, value: value => masked(value, maskTokenShapes) as typeof value }
      : { text: text => text, value: value => value }
  }
  const names = new Map(secrets.map(({ spelling, name }) => [spelling, name]))
  // The longest first, so that a secret which holds another is masked as a whole.
  const pattern = new RegExp(
    secrets.map(({ spelling }) => spelling).sort((a, b) => b.length - a.length).map(escaped).join('|'), 'g',
  )
  const named = (input: string) =>
    maskedCuts(input.replace(pattern, found => `[masked ${names.get(found) ?? 'secret'}]`), secrets)
  const text = shapes ? (input: string) => maskTokenShapes(named(input)) : named
  return { text, value: value => masked(value, text) as typeof value }
}

/**
 * Of output whose middle was left out (`CappedOutput` of 4-verb-run): a secret may have been cut at either edge.
 */
function maskedCuts(input: string, secrets: readonly Secret[]): string {
  if (!OMITTED.test(input)) return input
  return input.split(OMITTED).map((part, index, parts) => {
    if (index % 2 === 1) return part
    const headless = index === 0 ? part : withoutEdge(part, secrets, 'start')
    return index === parts.length - 1 ? headless : withoutEdge(headless, secrets, 'end')
  }).join('')
}

/** The longest part of a secret at an edge of a text is masked. */
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
    const found = password === undefined ? whole : [...whole, password]
    return found.filter(one => one.length >= SHORTEST)
      .flatMap(one => spellings(one).map(spelling => ({ name, spelling })))
  })
}

/** As it is, and as JSON, addresses and base64 have it; of several lines also each long one. */
function spellings(value: string): string[] {
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter(line => line.length >= 16) : []
  const forms = [value, JSON.stringify(value).slice(1, -1), encoded(value), base64(value)]
  return [...new Set([...forms, ...lines])].filter(form => form.length >= SHORTEST)
}

function encoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value
}

function base64(value: string): string {
  const bytes = new TextEncoder().encode(value)
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
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

/** Others (dates, bytes, errors) are left alone. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
