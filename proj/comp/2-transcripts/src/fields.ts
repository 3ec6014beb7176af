import { isRecord, nestsDeeper, unless } from '../../0-contracts/src/index.js'

/** An object with those of the fields that are not undefined, in their order. */
export function defined<T extends object>(fields: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** The elements of a list; empty where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value as unknown[] : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A string as it is, other values as JSON; `''` for undefined. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/** The text of a content: a string, or the joined texts of its parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content).flatMap((part) => {
    if (typeof part === 'string') return [part]
    if (!isRecord(part)) return []
    const text = textOf(part['text']) ?? (part['type'] === 'text' ? textOf(part['value']) : undefined)
    return text === undefined ? [] : [text]
  }).join('\n')
}

/** The `type` of a part, `''` where it has none. */
export function partType(part: unknown): string {
  return isRecord(part) ? textOf(part['type']) ?? '' : ''
}

/** The parsed JSON; `undefined` where it is invalid or nested too deeply. */
export function jsonOr(text: string): unknown {
  const value = unless((error) => error instanceof SyntaxError || error instanceof RangeError, () => (
    JSON.parse(text) as unknown
  ), undefined)
  return nestsDeeper(value) ? undefined : value
}
