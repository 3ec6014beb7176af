import { clip } from '../../../0-text/src/index.js'

/** Deepest data: what walks over results is recursive. */
const DEEPEST = 200
const MOST_VALUES = 2_000_000
const LONGEST_PLACE = 200
const AS_ASSIGNED = { enumerable: true, configurable: true, writable: true }

/** What has no form in JSON, and where it stands; `place` is empty for the value itself. */
export interface PlainProblem {
  place: string
  problem: string
}

export type PlainCopy = { ok: true; value: unknown } | ({ ok: false } & PlainProblem)

/**
 * A copy of a value that JSON can say: texts, finite numbers, true and false, null, lists, plain objects and dates.
 * Nothing of the copy runs code when it is read (getters are read once), and whoever made the value can change it no
 * more. Fields that are `undefined` are left out, as JSON leaves them out.
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
      // Assigned, it would be the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { ...AS_ASSIGNED, value: own })
      else copy[key] = own
    }
    return copy
  }
  try {
    return { ok: true, value: value === undefined ? undefined : copied(value, '', 0) }
  } catch (error) {
    if (error instanceof NotPlain) return { ok: false, place: clip(error.place, LONGEST_PLACE), problem: error.message }
    // A proxy runs code of its author wherever it is looked at.
    return { ok: false, place: '', problem: `cannot be read (${thrown(error)})` }
  }
}

class NotPlain extends Error {
  readonly place: string

  constructor(place: string, problem: string) {
    super(problem)
    this.place = place
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

/** Objects of classes (maps, sets, bytes, errors) lose what they hold, or are none in JSON. */
function requirePlain(value: object, place: string): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Those of other realms have an `Object.prototype` of their own.
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
