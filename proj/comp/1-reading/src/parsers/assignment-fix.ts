import type { Fix } from '../../../0-contracts/src/index.js'
import { readQuotedAssignment, type BodyLine } from '../scanner/index.js'

const LINE = /^([\p{L}_][\p{L}\p{N}_]*)[ \t]*(?::[ \t]*=|=|:)[ \t]*(\S(?:.*\S)?)[ \t]*$/u

/**
 * A fix for a body line with a single mistake that has a single correction: in its operator, its quotes, a sign behind
 * them, or raw tabs.
 *
 * @param others assignments of the block's other lines
 */
export function assignmentFix(line: BodyLine, indent: string, others: Record<string, string>): Fix | undefined {
  const parts = LINE.exec(line.text)
  // A backslash before a tab is ambiguous: part of a path, or the start of an escape.
  const value = parts && !parts[2]!.includes('\\\t') ? quoted(parts[2]!)?.replaceAll('\t', '\\t') : undefined
  if (!parts || !value) return undefined
  const text = `${parts[1]!} = ${value}`
  if (readQuotedAssignment(text) === undefined || Object.hasOwn(others, parts[1]!)) return undefined
  return { startLine: line.line, endLine: line.line, text: indent + text }
}

/**
 * One fix for consecutive lines that each have such a mistake, e.g. old and new text of a replacement with raw tabs.
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

/** Removes a line that repeats an assignment above it. */
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
  // An unclosed quote is closed at the end of its line; a simple word without quotes gets some.
  if (first === '"') return /["\\]/.test(bare.slice(1)) ? undefined : `${bare}"`
  return /^[\w./@-]+$/.test(bare) ? `"${bare}"` : undefined
}
