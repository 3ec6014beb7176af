import { clip } from '../../../0-text/src/index.js'
import type { CallError } from './call-error.js'

/** Objects with these keys cannot be told from what JavaScript adds to every object, and valibot drops them. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

/** What no verb can use, at any depth of an argument: halves of surrogate pairs, and keys that would be lost. */
export function unusableValue(name: string, value: unknown): CallError | undefined {
  const waiting: [place: string, value: unknown][] = [[name, value]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [place, found] = next
    if (typeof found === 'string' && !found.isWellFormed()) return invalid(place, ...LONE_SURROGATE)
    if (typeof found !== 'object' || found === null) continue
    for (const [key, each] of Object.entries(found)) {
      if (!key.isWellFormed()) return invalid(`a name in ${place}`, ...LONE_SURROGATE)
      if (RESERVED.has(key)) return invalid(place, `the name ${key} cannot be used`, 'Use another name.')
      if (typeof each === 'string' ? each.isWellFormed() : typeof each !== 'object') continue
      waiting.push([`${place}.${clip(key, 80)}`, each])
    }
  }
  return undefined
}

/** Half of a surrogate pair has no UTF-8 form: writing it would put something else into the file. */
const LONE_SURROGATE = [
  'half of a surrogate pair', 'Write the character itself, or both \\u escapes of its pair.',
] as const

function invalid(place: string, why: string, hint: string): CallError {
  return { code: 'INVALID_PARAMETER', message: `Invalid value for ${place}: ${why}`, hint }
}
