import type { VisibleDefinition } from './parse-definitions.js'
import type { LanguageId } from './language-id.js'
import type { WholeDeclaration } from './whole-declaration.js'

const WORD = /(?:^|\s)(export(?: default)?(?=\s)|async(?=\s)|pub(?=[\s(]))/g
const MARK = /(?:^|\s)(@(?!interface\b)[\w.]+|#?\[[A-Za-z]\w*(?=[\](,]))/g
/** A function that is a value: `name = async (…) =>`. */
const ASYNC_VALUE = /^[^=]*=\s*(async)\b/
const DOC_BLOCK = /^\s*\/\*\*/
/** Where every comment right above a declaration is its documentation. */
const DOC_LINE: Partial<Record<LanguageId, RegExp>> = { go: /^\s*\/[/*]/, ruby: /^\s*#/ }
const DOC_SLASHES = /^\s*\/\/\//
/** The first thing in a Python body. */
const DOCSTRING = /:\s*(?:#[^\n]*)?\n\s*[rRuU]?(?:"""|''')/

/**
 * What says of a declaration what becomes of it, but for its signature: decorators, attributes, `export`, `pub`,
 * `async`, and that it is documented.
 */
export function marksOf(
  language: LanguageId, lines: readonly string[], whole: WholeDeclaration, definition: VisibleDefinition,
): string[] {
  const { nameLine, nameColumn, name, endLine } = definition
  const line = lines[nameLine - 1] ?? ''
  const header = [...lines.slice(whole.firstLine - 1, nameLine - 1), line.slice(0, nameColumn - 1)]
  const marks = header.flatMap((each) => [...each.matchAll(MARK)])
    .map(([, mark = '']) => (/^#?\[/.test(mark) ? `${mark}]` : mark))
  const words = header.flatMap((each) => [...each.matchAll(WORD)]).map(([, word = '']) => word)
  const isAsync = ASYNC_VALUE.test(line.slice(nameColumn - 1 + name.length))
  const comment = lines[whole.commentLine - 1] ?? ''
  const isDocumented = whole.commentLine < whole.firstLine
    && (DOC_BLOCK.test(comment) || (DOC_LINE[language] ?? DOC_SLASHES).test(comment))
  const hasDocstring = language === 'python' && isDocstring(lines.slice(nameLine - 1, endLine))
  return [
    ...marks, ...words, ...(isAsync ? ['async'] : []), ...(isDocumented || hasDocstring ? ['its doc comment'] : []),
  ]
}

/** The signature may take some lines. */
function isDocstring(body: readonly string[]): boolean {
  const text = body.slice(0, 30).join('\n')
  const at = text.search(/:\s*(?:#[^\n]*)?\n/)
  return at !== -1 && DOCSTRING.exec(text)?.index === at
}
