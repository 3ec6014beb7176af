import type { Node } from '@vscode/tree-sitter-wasm'
import type { VisibleDefinition } from './definition.js'
import type { ParsedId } from './language-id.js'
import type { WholeDeclaration } from './whole-declaration.js'

const WORD = /(?:^|\s)(export(?: default)?(?=\s)|async(?=\s)|pub(?=[\s(]))/g
const MARK = /(?:^|\s)(@(?!interface\b)[\w.]+|#?\[[A-Za-z][\w:.]*(?=[\](, =]))/g
/** Strings, in which nothing counts as a mark. */
const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g
const COMMENT = /\/\/.*|\/\*.*?\*\//g
const HASH_COMMENT = /#.*/g
/** A function as a value: `name = async (…) =>`. */
const ASYNC_VALUE = /^[^=]*=\s*(async)\b/
const DOC_BLOCK = /^\s*\/\*\*/
/** Comments that count as documentation if right above a declaration, for languages without a special form. */
const DOC_LINE: Partial<Record<ParsedId, RegExp>> = { go: /^\s*\/[/*]/, ruby: /^\s*#/ }
const DOC_SLASHES = /^\s*\/\/\//

/**
 * Attributes of a declaration beyond its signature: decorators, attributes, `export`, `pub`, `async`, and whether it is
 * documented.
 */
export function marksOf(
  language: ParsedId, lines: readonly string[], whole: WholeDeclaration,
  { definition, node }: { definition: VisibleDefinition; node: Node },
): string[] {
  const { nameLine, nameColumn, name } = definition
  const line = lines[nameLine - 1] ?? ''
  const header = [...lines.slice(whole.firstLine - 1, nameLine - 1), line.slice(0, nameColumn - 1)]
    .map((each) => each.replaceAll(TEXTS, '""').replaceAll(language === 'python' ? HASH_COMMENT : COMMENT, ''))
  const marks = header.flatMap((each) => [...each.matchAll(MARK)])
    .map(([, mark = '']) => (/^#?\[/.test(mark) ? `${mark}]` : mark))
  const words = header.flatMap((each) => [...each.matchAll(WORD)]).map(([, word = '']) => word)
  const isAsync = ASYNC_VALUE.test(line.slice(nameColumn - 1 + name.length))
  const comment = lines[whole.commentLine - 1] ?? ''
  const isDocumented = whole.commentLine < whole.firstLine
    && (DOC_BLOCK.test(comment) || (DOC_LINE[language] ?? DOC_SLASHES).test(comment))
  const hasDocstring = language === 'python' && isDocumentedInside(node)
  return [
    ...marks, ...words, ...(isAsync ? ['async'] : []), ...(isDocumented || hasDocstring ? ['its doc comment'] : []),
  ]
}

/** Whether a Python body begins with a docstring. */
function isDocumentedInside(node: Node): boolean {
  const body = node.childForFieldName('body')?.namedChildren ?? []
  const first = body.find((each) => each !== null && each.type !== 'comment')
  return first?.type === 'expression_statement' && /^(?:concatenated_)?string$/.test(first.namedChild(0)?.type ?? '')
}
