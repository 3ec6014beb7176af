import type { VerbContext } from '../../../0-contracts/src/index.js'
import { exportsElsewhere, type LanguageId } from '../../../2-syntax/src/index.js'
import type { FoundDeclaration } from './find-declaration.js'
import { isCommentLine, type NewCode, QUOTED } from './new-code.js'

const EXPORTS = new Set<LanguageId>(['typescript', 'tsx', 'javascript'])
/** Declarations that `export` may precede. */
const EXPORTABLE = /^(?:async|abstract|class|const|declare|enum|function|interface|let|namespace|type|var)\b/
/** Declarations that `export default` may precede. */
const DEFAULTABLE = /^(?:async\s+function|abstract\s+class|class|function|interface)\b/

/**
 * Puts the decorators or attributes of the old declaration, and its `export`, before the new lines if these have none:
 * a model that wrote only the signature did not mean to remove them. Only decorators on lines of their own are kept;
 * the loss of others is reported after the edit.
 */
export function withOldHeader(
  { lines: old, whole, definition, language }: FoundDeclaration, code: NewCode, context: VerbContext,
): NewCode {
  const at = code.lines.findIndex((line, index) => line.trim() !== '' && !isCommentLine(language, code.lines, index))
  const first = code.lines[at]
  if (first === undefined || isMark(first.trim())) return code
  const header = old.slice(whole.firstLine - 1, definition.nameLine)
  const marks = header.slice(0, markLines(language, header))
  const bare = header[marks.length]?.trim() ?? ''
  // Exporting it twice would be a syntax error.
  const isExported = exportsElsewhere(language, code.lines.join('\n'))(definition.name)
  const word = EXPORTS.has(language) && !isExported ? exportFor(bare, first.trim()) : undefined
  const indent = spaceOf(first)
  const least = Math.min(...marks.filter((line) => line.trim() !== '').map((line) => spaceOf(line).length))
  const kept = marks.map((line) => (line.trim() === '' ? '' : indent + line.slice(least)))
  const shown = marks.map((line) => line.trim()).filter(isMark).map((line) => line.replace(/[({[]+$/, ''))
  const names = [...shown, ...(word === undefined ? [] : [word])]
  if (names.length === 0) return code
  context.advise?.(`Kept, since new_text has none: ${names.join(', ')}. To take such away use edit_replace.`)
  const changed = word === undefined ? first : `${indent}${word} ${first.slice(indent.length)}`
  return { ...code, lines: [...code.lines.slice(0, at), ...kept, changed, ...code.lines.slice(at + 1)] }
}

function exportFor(bare: string, first: string): string | undefined {
  const [, word] = /^(export(?:\s+default)?)\s/.exec(bare) ?? []
  if (word === undefined) return undefined
  return (word === 'export' ? EXPORTABLE : DEFAULTABLE).test(first) ? word : undefined
}

function isMark(line: string): boolean {
  return /^(?:@(?!interface\b)|#?\[)/.test(line)
}

/** How many lines the leading decorators and attributes take, if these are on lines of their own. */
function markLines(language: LanguageId, header: readonly string[]): number {
  let count = 0
  let open = ''
  for (const [index, line] of header.entries()) {
    open += `${line}\n`
    const text = open.trim()
    if (!isMark(text) && !(count > 0 && isCommentLine(language, header, index))) break
    const rest = isMark(text) ? behindMarks(text) : ''
    if (rest === undefined) continue
    if (rest !== '' && language !== 'python') break
    count = index + 1
    open = ''
  }
  return count
}

/** The text after its leading decorators and attributes; `undefined` where one of them continues on the next line. */
function behindMarks(text: string): string | undefined {
  const plain = text.replace(QUOTED, (quoted) => '_'.repeat(quoted.length))
  let at = 0
  for (;;) {
    const [mark] = /^\s*(?:@[\w.:]*\s*(?=[([])|@[\w.:]+|#?(?=\[))/.exec(plain.slice(at)) ?? []
    if (mark === undefined) return text.slice(at).trim()
    at += mark.length
    if (plain[at] !== '(' && plain[at] !== '[') continue
    let depth = 0
    do {
      if (at >= plain.length) return undefined
      if ('([{'.includes(plain[at] ?? ' ')) depth++
      if (')]}'.includes(plain[at] ?? ' ')) depth--
      at++
    } while (depth > 0)
  }
}

function spaceOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}
