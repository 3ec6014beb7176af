import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import type { LineRange } from '../../../1-edits/src/index.js'
import type { VisibleDefinition } from '../../../2-syntax/src/index.js'
import type { Draft } from './draft.js'
import type { FoundDeclaration } from './find-declaration.js'

/** @throws HermesError `INVALID_PARAMETER` where the new text is no declaration, or lacks names of the old one */
export function checkDeclares(verb: string, target: FoundDeclaration, { first, last, lines, outline }: Draft): void {
  const declared = within(outline.definitions, { first, last })
  const { definition: { name, kind } } = target
  checkLost(verb, target, declared)
  const outer = declared.filter((each) => !declared.some((other) => other !== each && isInside(each, other)))
  if (kind === 'class' && outer.length > 0 && !outer.some((definition) => definition.kind === 'class')) {
    throw anotherKind(verb, name, outer)
  }
  const isOne = ({ name: other, kind: otherKind }: VisibleDefinition): boolean =>
    other === name || kind === 'variable' || otherKind !== 'variable'
  if (declared.some(isOne)) return
  const [line = ''] = lines
  throw new HermesError('INVALID_PARAMETER', `${verb}: new_text declares no ${kind}`, {
    hint: `Nothing was changed. It begins with ${JSON.stringify(line.trim().slice(0, 60))}: write the whole `
      + 'declaration, with its signature. To change some lines of it use edit_replace.',
  })
}

/**
 * The error for a new text of another kind: most often a member that was meant to go into the class, and would have
 * replaced it.
 */
function anotherKind(verb: string, name: string, declared: readonly VisibleDefinition[]): HermesError {
  const [{ name: other, kind } = { name: '', kind: 'variable' }] = declared
  return new HermesError('INVALID_PARAMETER', `${verb}: '${name}' is a class or type, new_text declares none`, {
    hint: `Nothing was changed: it declares ${other}, a ${kind}. To change a member name it in symbol. To have another `
      + `kind of thing instead of ${name}, delete ${name} with empty new_text, then insert the new text with `
      + 'file_insert or beside another declaration.',
  })
}

/**
 * @param declared by the new text, if any
 * @throws HermesError `INVALID_PARAMETER` where the declaration's lines declare other names too, which would be lost,
 * as in `const a = 1, b = 2`
 */
export function checkLost(
  verb: string, { definitions, definition, whole, lines }: FoundDeclaration, declared: readonly VisibleDefinition[],
): void {
  const range: LineRange = { first: whole.firstLine, last: whole.lastLine }
  const others = within(definitions, range).filter((other) => (
    other !== definition && (!isInside(other, definition) || isChained(other, definition, lines))
  ))
  const lost = others.filter(({ name }) => name !== definition.name && !declared.some((inner) => inner.name === name))
  if (lost.length === 0) return
  const names = lost.slice(0, 5).map(({ name }) => name).join(', ')
  throw new HermesError('INVALID_PARAMETER', `${verb}: the same declaration declares ${names}`, {
    hint: `Nothing was changed: new_text does not declare ${lost.length === 1 ? 'it' : 'them'}. Write the declaration `
      + 'of all, or use edit_replace.',
  })
}

/** Reports a name that the new lines no longer declare. */
export function adviseOnRename(
  { definition: { name } }: FoundDeclaration, { first, last, outline }: Draft, context: VerbContext,
): void {
  const declared = within(outline.definitions, { first, last })
  if (declared.some((other) => other.name === name)) return
  const names = [...new Set(declared.map((other) => other.name))].slice(0, 3).join(', ')
  context.advise?.(`The new lines declare ${names} instead of ${name}: what uses ${name} may have to follow.`)
}

function within(definitions: readonly VisibleDefinition[], { first, last }: LineRange): VisibleDefinition[] {
  return definitions.filter(({ startLine, endLine }) => startLine >= first && endLine <= last)
}

/** Whether one definition's code lies within the other's, and is not all of it. */
function isInside(inner: VisibleDefinition, outer: VisibleDefinition): boolean {
  const starts = compare(inner.startLine, inner.startColumn, outer.startLine, outer.startColumn)
  const ends = compare(inner.endLine, inner.endColumn, outer.endLine, outer.endColumn)
  return starts >= 0 && ends <= 0 && (starts !== 0 || ends !== 0)
}

/** Whether both are one chained assignment, `outer = inner = …`. */
function isChained(inner: VisibleDefinition, outer: VisibleDefinition, lines: readonly string[]): boolean {
  if (compare(inner.endLine, inner.endColumn, outer.endLine, outer.endColumn) !== 0) return false
  const line = lines[outer.startLine - 1] ?? ''
  const between = inner.startLine === outer.startLine ? line.slice(outer.startColumn - 1, inner.startColumn - 1) : ''
  const behind = line.slice(inner.nameColumn - 1 + inner.name.length)
  return /^[^(){}\n]*=\s*$/.test(between) && /^['"\]]*\s*=(?![=>])/.test(behind)
}

function compare(line: number, column: number, otherLine: number, otherColumn: number): number {
  return line - otherLine || column - otherColumn
}
