import type { Fix } from '../../../0-contracts/src/index.js'
import { readQuotedAssignment, type BodyLine } from '../scanner/index.js'

const LINE = /^([\p{L}_][\p{L}\p{N}_]*)[ \t]*(?::[ \t]*=|=|:)[ \t]*(\S(?:.*\S)?)[ \t]*$/u

/**
 * A body line with one slip that has one reading: its operator, its quotes, or a sign behind them.
 *
 * @param others what the block's other lines say
 */
export function assignmentFix(line: BodyLine, indent: string, others: Record<string, string>): Fix | undefined {
  const parts = LINE.exec(line.text)
  const value = parts && quoted(parts[2]!)
  if (!value) return undefined
  const text = `${parts[1]!} = ${value}`
  if (readQuotedAssignment(text) === undefined || Object.hasOwn(others, parts[1]!)) return undefined
  return { startLine: line.line, endLine: line.line, text: indent + text }
}

function quoted(value: string): string | undefined {
  const bare = value.replace(/(?<=["'\u201d])[,;]$/, '')
  const [first, last] = [bare[0], bare.length > 1 ? bare.at(-1) : undefined]
  const inner = bare.slice(1, -1)
  if (first === '"' && last === '"') return bare
  const isPlain = !/["\\\u201c\u201d]/.test(inner)
  if (first === '\u201c' && last === '\u201d') return isPlain ? `"${inner}"` : undefined
  if (first === "'" && last === "'") return isPlain && !inner.includes("'") ? `"${inner}"` : undefined
  // A quote that is never closed ends with its line; a word without quotes is meant as it stands.
  if (first === '"') return /["\\]/.test(bare.slice(1)) ? undefined : `${bare}"`
  return /^[\w./@-]+$/.test(bare) ? `"${bare}"` : undefined
}
