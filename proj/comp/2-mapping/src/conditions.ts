import type { ConditionData } from './mapping-schema.js'
import type { MappingPlace } from './mapping-types.js'

/** Whether the value of an argument is as a case wants it. One that is not given is as good as null. */
export function holds(condition: ConditionData, given: unknown, place: MappingPlace): boolean {
  const value = given ?? null
  if (Array.isArray(condition)) return condition.some((one) => one === value)
  if (typeof condition !== 'object' || condition === null) return condition === value
  if ('present' in condition) return (value !== null) === condition.present
  if ('is' in condition) return typeof value === 'string' && place.isDirectory(value)
  return Array.isArray(value) && condition.begins.every((one, index) => value[index] === one)
}

/** A condition that fixes the value says all there is to say of it; the others leave it to be used. */
export function usedByCondition(condition: ConditionData): boolean {
  return Array.isArray(condition) || typeof condition !== 'object' || condition === null
}
