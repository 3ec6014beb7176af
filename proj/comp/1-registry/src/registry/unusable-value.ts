import { clip } from '../../../0-text/src/index.js'
import type { CallError } from './call-error.js'

/** Objects with these keys cannot be told from what JavaScript adds to every object, and valibot drops them. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

/** What no verb can use, at any depth of an argument: halves of surrogate pairs, and keys that would be lost. */
export function unusableValue(name: string, value: unknown): CallError | undefined {
  const waiting: [place: string, value: unknown][] = [[name, value]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [place, found] = next
    if (typeof found === 'string' && !found.isWellFormed()) return loneSurrogate(place)
    if (typeof found !== 'object' || found === null) continue
    for (const [key, each] of Object.entries(found)) {
      if (!key.isWellFormed()) return loneSurrogate(`a name in ${place}`)
      if (RESERVED.has(key)) return reserved(place, key)
      if (typeof each === 'string' ? each.isWellFormed() : typeof each !== 'object') continue
      waiting.push([`${place}.${clip(key, 80)}`, each])
    }
  }
  return undefined
}

/** Half of a surrogate pair has no UTF-8 form: writing it would put something else into the file. */
function loneSurrogate(place: string): CallError {
  return {
    code: 'INVALID_PARAMETER',
    message: `Invalid value for ${place}: half of a surrogate pair`,
    hint: 'Write the character itself, or both \\u escapes of its pair.',
  }
}

function reserved(place: string, key: string): CallError {
  return {
    code: 'INVALID_PARAMETER',
    message: `Invalid value for ${place}: the name ${key} cannot be used`,
    hint: 'Use another name.',
  }
}
