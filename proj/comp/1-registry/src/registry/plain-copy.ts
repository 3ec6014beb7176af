import { clip } from '../../../0-text/src/index.js'

/** Deepest data to accept, since code that handles results is recursive. */
const DEEPEST = 200
const MOST_VALUES = 2_000_000
const LONGEST_PLACE = 200
const AS_ASSIGNED = { enumerable: true, configurable: true, writable: true }

/** Where a value has no JSON form, the problem and its place, which is empty for the value itself. */
export type PlainCopy = { ok: true; value: unknown } | { ok: false; place: string; problem: string }

/**
 * Copies a value that JSON can express: strings, finite numbers, booleans, null, lists, plain objects and dates.
 * Reading the copy runs no code (getters are read once), and the original's owner cannot change it. Fields that are
 * `undefined` are dropped, as in JSON.
 */
export function plainCopy(value: unknown): PlainCopy {
  let count = 0
  const copied = (part: unknown, place: string, depth: number): unknown => {
    if (typeof part !== 'object' || part === null) return plainValue(part, place)
    if (depth > DEEPEST) throw new NotPlain(place, `is more than ${DEEPEST} levels deep, or holds itself`)
    count += 1
    if (count > MOST_VALUES) throw new NotPlain('', `holds more than ${MOST_VALUES} lists and objects`)
    if (Array.isArray(part)) {
      return Array.from(part as unknown[], (item, index) => {
        const here = `${place}[${index}]`
        if (item === undefined) throw new NotPlain(here, 'is undefined')
        return copied(item, here, depth + 1)
      })
    }
    if (part instanceof Date) return new Date(part)
    requirePlain(part, place)
    const copy: Record<string, unknown> = {}
    for (const key of Object.keys(part)) {
      const here = place === '' ? key : `${place}.${key}`
      const item = read(part, key, here)
      if (item === undefined) continue
      const own = copied(item, here, depth + 1)
      // A plain assignment would set the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { ...AS_ASSIGNED, value: own })
      else copy[key] = own
    }
    return copy
  }
  try {
    return { ok: true, value: value === undefined ? undefined : copied(value, '', 0) }
  } catch (error) {
    if (error instanceof NotPlain) return { ok: false, place: clip(error.place, LONGEST_PLACE), problem: error.message }
    // A proxy may run code on any access.
    return { ok: false, place: '', problem: `cannot be read (${thrown(error)})` }
  }
}

class NotPlain extends Error {
  constructor(readonly place: string, problem: string) {
    super(problem)
  }
}

function plainValue(value: unknown, place: string): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'object': return value
    case 'number':
      if (Number.isFinite(value)) return value
      throw new NotPlain(place, `is ${String(value)}`)
    default: throw new NotPlain(place, `is ${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`)
  }
}

/** Rejects instances of classes (maps, sets, bytes, errors), which JSON cannot represent. */
function requirePlain(value: object, place: string): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Plain objects of other realms have another `Object.prototype`.
  if (prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null) return
  const { constructor } = value
  const name = typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'a class'
  throw new NotPlain(place, `is an object of ${clip(name, 80)}`)
}

function read(value: object, key: string, place: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (error) {
    throw new NotPlain(place, `cannot be read (${thrown(error)})`)
  }
}

function thrown(error: unknown): string {
  return error instanceof Error ? clip(String(error.message), 200) : `it throws a ${typeof error}`
}
