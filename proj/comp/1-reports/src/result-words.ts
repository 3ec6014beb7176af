import { byteSize, plural } from './quantities.js'
import { oneLine } from './safe-text.js'

type Facts = Record<string, unknown>

/** Fields shown of a result at most. */
const MAX_PARTS = 5

/**
 * What a result says, from the names and types of its fields: lists are counted, `lineCount: 3` is "3 lines",
 * `diskBytes: 1200` is "disk 1.2 KB", what holds is named, texts of one line are quoted with their name. What the call
 * said already is not repeated; `''` when nothing is left.
 */
export function resultWords(facts: Facts, params: Facts): string {
  const said = new Set(Object.values(params))
  const fields = Object.entries(facts).filter(([, value]) => !said.has(value) || typeof value === 'boolean')
  // Of the lists the first is what was looked for: it counts when empty, too.
  const [first] = fields.filter(([, value]) => Array.isArray(value))
  const isAlone = Object.keys(facts).length === 1
  const parts = fields.flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.length > 0 || name === first?.[0] ? [listWords(name, value)] : []
    return scalarWords(name, value, isAlone)
  })
  return parts.slice(0, MAX_PARTS).join(', ')
}

/** `2 matches`, `3 untracked`, `1 definition, src/a.ts:4`, `2 files, +10 -3`. */
export function listWords(name: string, items: readonly unknown[]): string {
  const word = wordsOf(name)
  const count = plural(items.length, singular(word), word)
  return [count, ...placeOf(items), ...linesChanged(items)].join(', ')
}

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

/** Where a thing found alone is. */
function placeOf(items: readonly unknown[]): string[] {
  const [{ path, line }] = items.length === 1 && isRecord(items[0]) ? [items[0]] : [{} as Facts]
  return typeof path === 'string' && typeof line === 'number' ? [`${oneLine(path, 160)}:${line}`] : []
}

/** The sums, where every item tells lines added and removed. */
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

/** `operatingSystem`, `indexed_files` → `operating system`, `indexed files`. */
function wordsOf(name: string): string {
  return oneLine(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ').trim().toLowerCase(), 60)
}

/** Of a word that names no things (`untracked`) the word itself. */
function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|ss|x)es$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '')
}

/** `exists` → `does not exist`, `confirmed` → `not confirmed`. */
function negated(word: string): string {
  return /[^s]s$/.test(word) ? `does not ${word.slice(0, -1)}` : `not ${word}`
}

function isRecord(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null
}
