import { hereText } from './here-text.js'
import { listOf } from './list-of.js'
import type { ConditionData } from './mapping-schema.js'
import type { MappingPlace } from './mapping-types.js'

/** Whether the value of an argument is as a case wants it. One that is not given is as good as null. */
export function holds(condition: ConditionData, given: unknown, place: MappingPlace): boolean {
  const value = given ?? null
  if (Array.isArray(condition)) return condition.some((one) => isSame(one, value))
  if (typeof condition !== 'object' || condition === null) return isSame(condition, value)
  if ('present' in condition) return (value !== null) === condition.present
  if ('heredoc' in condition) return hereText(value, condition.heredoc) !== undefined
  if ('is' in condition) {
    // Where none is given, it is the root.
    if (condition.is === 'root' && (value === null || value === '')) return true
    if (typeof value !== 'string') return false
    if (condition.is === 'root') return place.isRoot(value)
    return condition.is === 'directory' ? place.isDirectory(value) : place.isUnfinished(value)
  }
  const list = listOf(value)
  if (list === undefined || list.length !== (condition.length ?? list.length)) return false
  return condition.begins.every((one, index) => list[index] === one)
}

/** A condition that fixes the value says all there is to say of it; the others leave it to be used. */
export function usedByCondition(condition: ConditionData): boolean {
  return Array.isArray(condition) || typeof condition !== 'object' || condition === null
}

/** Calls written as XML or SHAM have texts for numbers, true and false, also as Python writes them. */
function isSame(wanted: unknown, value: unknown): boolean {
  if (wanted === value) return true
  if (typeof value !== 'string') return false
  return typeof wanted === 'boolean' ? value.toLowerCase() === String(wanted)
    : typeof wanted === 'number' && value === String(wanted)
}
