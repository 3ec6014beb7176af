import { isRecord } from '../../0-contracts/src/index.js'
import { byteSize, plural } from './quantities.js'
import { oneLine } from './safe-text.js'

/** The fields of a verb's result, or the parameters of its call. */
type Facts = Record<string, unknown>

/** Most fields of a result that are told. */
const MAX_PARTS = 5

/**
 * A line on what a verb gave back, for `whatChanged` where it knows no better one. It goes by the names and types of
 * the result's fields, whatever the verb: lists are counted, `lineCount: 3` is "3 lines", `diskBytes: 1200` is "disk
 * 1.2 KB", what is true is named, texts of one line are quoted with their name. What the call said already is not
 * repeated; `''` when nothing is left.
 */
export function resultWords(facts: Facts, params: Facts): string {
  const ofCall = new Set(Object.values(params))
  const fields = Object.entries(facts).filter(([, value]) => !ofCall.has(value) || typeof value === 'boolean')
  // Of the lists the first is what was looked for: it is told when empty, too.
  const firstList = fields.find(([, value]) => Array.isArray(value))?.[0]
  const isAlone = Object.keys(facts).length === 1
  const parts = fields.flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.length > 0 || name === firstList ? [listWords(name, value)] : []
    return scalarWords(name, value, isAlone)
  })
  return parts.slice(0, MAX_PARTS).join(', ')
}

/** `2 matches`, `3 untracked`, `1 definition, src/a.ts:4`, `2 files, +10 -3`. */
export function listWords(name: string, items: readonly unknown[]): string {
  const word = wordsOf(name)
  return [plural(items.length, singular(word), word), ...placeOf(items), ...linesChanged(items)].join(', ')
}

/** @param isAlone the result has no other field: then a `false` and a plain number are told, too */
function scalarWords(name: string, value: unknown, isAlone: boolean): string[] {
  if (typeof value === 'boolean') return value ? [wordsOf(name)] : isAlone ? [negated(wordsOf(name))] : []
  if (typeof value === 'number') {
    const [, counted, measured] = /^(?:(.+)_?Count|(.+)_?Bytes)$/i.exec(name) ?? []
    if (counted !== undefined) return [plural(value, wordsOf(counted))]
    if (measured !== undefined) return [`${wordsOf(measured)} ${byteSize(value)}`]
    return isAlone ? [`${wordsOf(name)} ${value}`] : []
  }
  const isShort = typeof value === 'string' && value.trim() !== '' && !/[\r\n]/.test(value)
  return isShort ? [`${wordsOf(name)}: ${oneLine(value, 80)}`] : []
}

/** Where it is, of a single item that has a place. */
function placeOf(items: readonly unknown[]): string[] {
  const [{ path, line }] = items.length === 1 && isRecord(items[0]) ? [items[0]] : [{} as Facts]
  return typeof path === 'string' && typeof line === 'number' ? [`${oneLine(path, 160)}:${line}`] : []
}

/** Sums of added and removed lines, if all items have them. */
function linesChanged(items: readonly unknown[]): string[] {
  const counts = items.flatMap(item => {
    if (!isRecord(item)) return []
    const { added, removed } = item
    return typeof added === 'number' && typeof removed === 'number' ? [{ added, removed }] : []
  })
  if (counts.length === 0 || counts.length < items.length) return []
  const sum = (name: 'added' | 'removed'): number => counts.reduce((total, count) => total + count[name], 0)
  return [`+${sum('added')} -${sum('removed')}`]
}

/** Splits `operatingSystem`, `indexed_files` into `operating system`, `indexed files`. */
function wordsOf(name: string): string {
  return oneLine(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ').trim().toLowerCase(), 60)
}

/** The singular of a plural noun; other words (`untracked`) stay. */
function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|ss|x)es$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '')
}

/** Negates `exists` to `does not exist`, `confirmed` to `not confirmed`. */
function negated(word: string): string {
  return /[^s]s$/.test(word) ? `does not ${word.slice(0, -1)}` : `not ${word}`
}
