import type { Node } from '@vscode/tree-sitter-wasm'
import { clip } from '../../0-text/src/index.js'
import type { LanguageId } from './language-id.js'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { moveToFile } from './notebook.js'
import { firstError } from './outline.js'
import type { VisibleDefinition } from './definition.js'
import type { ParseTime } from './parse-time.js'
import { definitionsByPattern, signatureByPattern } from './patterns/by-pattern.js'
import { withPieces } from './parse-again.js'
import { readAs } from './without-grammar.js'

/** Longest signature, in characters. */
const MOST_CHARS = 160
/** Most source characters to examine for a signature, comments included. */
const MOST_SOURCE = 1000
/** Most characters before a declaration on its line (`export default`, `const`) to include. */
const MOST_PREFIX = 60

export interface SignedDefinition {
  definition: VisibleDefinition
  /** The declaration up to its body, on one line, without comments and decorators; cut at 160 characters. */
  signature: string
}

export interface Signatures {
  /** Definitions visible outside functions, in text order: no parameters or locals. */
  definitions: SignedDefinition[]
  /** First line (1-based) with a syntax error; absent where there is none. */
  errorLine?: number
}

/**
 * The definitions of a text with their signatures, for an outline.
 *
 * @throws HermesError as `parseDefinitions`
 */
export async function parseSignatures(language: LanguageId, text: string, time?: ParseTime): Promise<Signatures> {
  return readAs<Signatures>(language, text, {
    parsed: (parsed, source) => withPieces(parsed, source, (pieces, grammar, clock) => {
      const definitions: SignedDefinition[] = []
      for (const { definition, node } of pieces.flatMap(({ defined }) => defined)) {
        clock.check()
        // In broken code, definitions may have no name.
        if (!definition.shared || definition.name.trim() === '') continue
        definitions.push({ definition, signature: signatureOf(definition, node, source, grammar.syntax) })
      }
      const errorLine = firstError(pieces[0]!.tree)
      return { definitions, ...(errorLine !== undefined && { errorLine }) }
    }, time),
    byPattern: (pattern, source, clock) => {
      const signature = signatureByPattern(pattern, source)
      const definitions = definitionsByPattern(pattern, source, clock).filter(({ shared }) => shared)
      return { definitions: definitions.map((definition) => ({ definition, signature: signature(definition) })) }
    },
    notebook: async (notebook) => {
      const { definitions, errorLine } = await parseSignatures(notebook.language, notebook.code, time)
      return {
        definitions: definitions.map((each) => ({ ...each, definition: moveToFile(notebook, each.definition) })),
        ...(errorLine !== undefined && { errorLine: notebook.inFile({ line: errorLine, column: 1 }).line }),
      }
    },
    none: { definitions: [] },
  }, time)
}

function signatureOf(
  { name, kind }: VisibleDefinition, node: Node, source: string, syntax: LanguageSyntax,
): string {
  const start = startOf(node)
  const prefix = start === node.startIndex ? prefixOf(source.slice(Math.max(0, start - MOST_PREFIX), start)) : ''
  const body = bodyOf(node, syntax)
  const end = Math.min(body?.startIndex ?? node.endIndex, start + MOST_SOURCE)
  const text = withoutComments(node, body, source.slice(start, end), start)
  const head = body ? text : kind === 'method' || kind === 'function' ? balancedLines(text) : firstLine(text)
  const signature = `${prefix}${head}`
    .replaceAll(/(?:\\\r?\n|\s)+/g, ' ').replaceAll(/(?<=[([]) | (?=[,)\]])|,(?= \))/g, '')
    .replace(/(?:\s|[{:=;,]|=>|->)+$/, '').trim()
  return signature === '' ? name : clip(signature, MOST_CHARS)
}

/** Node types of annotations before a declaration. */
const ANNOTATION = /^(?:decorator|annotation|marker_annotation|attribute|attribute_list|comment)$/

/** Start of a declaration behind its decorators. */
function startOf(node: Node): number {
  let start = node.startIndex
  for (let child = firstPart(node); child && ANNOTATION.test(child.type); child = child.nextSibling) {
    start = child.endIndex
  }
  return start
}

/** Words before a declaration on its line, such as `export` or a type, without annotations. */
function prefixOf(before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1).replaceAll(/@[\w.]+(?:\([^()]*\))?\s*|\[[^[\]]+\]\s*/g, '')
  const isWhole = before.length < MOST_PREFIX || before.includes('\n')
  return isWhole && /^[\w\s<>?.*&:[\]$]*$/.test(line.replaceAll(/<[^<>]*>/g, '')) ? line.trimStart() : ''
}

/** The first child, skipping annotations: Java and C# put them among the modifiers. */
function firstPart(node: Node): Node | null {
  const first = node.child(0)
  return first?.type === 'modifiers' ? first.child(0) : first
}

/** Fields that lead from a declaration to the declared function: `const f = () => {}`. */
const INWARDS = ['value', 'right', 'type'] as const
const MOST_STEPS = 3

function bodyOf(node: Node, syntax: LanguageSyntax, steps = MOST_STEPS): Node | null {
  const { bodies } = syntax
  const body = node.childForFieldName('body')
    ?? (bodies ? node.namedChildren.find((child) => child && bodies.includes(child.type)) ?? null : null)
  if (body || steps === 0) return body
  for (const field of INWARDS) {
    const inner = node.childForFieldName(field)
    const inside = inner && bodyOf(inner, syntax, steps - 1)
    if (inside) return inside
  }
  return null
}

/** @param start offset of `text` in the source */
function withoutComments(node: Node, body: Node | null, text: string, start: number): string {
  if (!/\/[/*]|#|--/.test(text)) return text
  const until = body?.startPosition ?? node.endPosition
  let kept = ''
  let from = 0
  for (const comment of node.descendantsOfType(COMMENTS, node.startPosition, until)) {
    if (!comment || comment.startIndex < start + from) continue
    if (comment.startIndex >= start + text.length) break
    kept += text.slice(from, comment.startIndex - start)
    from = comment.endIndex - start
  }
  return kept + text.slice(from)
}

const COMMENTS = ['comment', 'line_comment', 'block_comment', 'multiline_comment']

/** The text up to the end of the line in which all brackets are closed. */
function balancedLines(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    else if (char === '\n' && depth <= 0) return text.slice(0, at)
  }
  return text
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  // Drop an opening bracket whose value continues on the next lines.
  return end < 0 ? text : text.slice(0, end).replace(/[\s=({[]+$/, '')
}
