import type { Fix } from '../../../0-contracts/src/index.js'
import { readQuotedAssignment, type BodyLine } from '../scanner/index.js'

const LINE = /^([\p{L}_][\p{L}\p{N}_]*)[ \t]*(?::[ \t]*=|=|:)[ \t]*(\S(?:.*\S)?)[ \t]*$/u

/**
 * A body line with one slip that has one reading: its operator, its quotes, a sign behind them, or tabs within them.
 *
 * @param others what the block's other lines say
 */
export function assignmentFix(line: BodyLine, indent: string, others: Record<string, string>): Fix | undefined {
  const parts = LINE.exec(line.text)
  // A backslash before a tab may be one of a path, or begin an escape.
  const value = parts && !parts[2]!.includes('\\\t') ? quoted(parts[2]!)?.replaceAll('\t', '\\t') : undefined
  if (!parts || !value) return undefined
  const text = `${parts[1]!} = ${value}`
  if (readQuotedAssignment(text) === undefined || Object.hasOwn(others, parts[1]!)) return undefined
  return { startLine: line.line, endLine: line.line, text: indent + text }
}

/**
 * Lines one below the other that each have one such slip, as the old and the new text of a replacement copied with
 * their tabs: one fix of them all.
 */
export function assignmentsFix(
  lines: readonly BodyLine[], indentOf: (line: BodyLine) => string, others: Record<string, string>,
): Fix | undefined {
  const fixes: Fix[] = []
  const said: Record<string, string> = { ...others }
  for (const [index, line] of lines.entries()) {
    const fix = line.line === lines[0]!.line + index ? assignmentFix(line, indentOf(line), said) : undefined
    if (!fix) return undefined
    fixes.push(fix)
    said[readQuotedAssignment(fix.text.trimStart())!.key] = ''
  }
  const [first, last] = [fixes[0], fixes.at(-1)]
  if (!first || !last) return undefined
  return { startLine: first.startLine, endLine: last.endLine, text: fixes.map(({ text }) => text).join('\n') }
}

/** A line that says again what one above it says is left out. */
export function repeatedLineFix({ line, text }: BodyLine, others: Record<string, string>): Fix | undefined {
  const again = readQuotedAssignment(text)
  if (!again || others[again.key] !== again.value) return undefined
  return { startLine: line, endLine: line, text: '' }
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
