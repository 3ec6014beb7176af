import type { VisibleDefinition, WholeDeclaration } from '../../../2-syntax/src/index.js'
import type { FoundDeclaration } from './find-declaration.js'

/** A blank line, or a line of a comment. */
const PASSED = /^\s*(?:\/\/|\/\*|\*|#|$)/
const OVERLOAD = /^\s*@(?:\w+\.)?overload\b/m
const ACCESSOR = /^\s*(?:[a-z]+\s+)*[gs]et\s+[\w$#'"[]/m

type Member = readonly [VisibleDefinition, WholeDeclaration]

/**
 * The lines of a declaration together with adjacent overloads of the same function: TypeScript's signatures and
 * implementation, Python's functions marked `@overload`.
 */
export function overloadSet(
  { definition, whole, wholes, language, lines }: FoundDeclaration,
): FoundDeclaration['whole'] {
  if (!isFunction(definition) || !/^(?:typescript|tsx|python)$/.test(language)) return whole
  const members: Member[] = [...wholes].filter(([other]) => isFunction(other) && other.name === definition.name
    && other.container === definition.container && other.within === definition.within)
  let first = members.findIndex(([other]) => other === definition)
  if (first === -1) return whole
  let last = first
  while (areJoined(members[first - 1], members[first])) first--
  while (areJoined(members[last], members[last + 1])) last++
  const [start, end] = [members[first]?.[1] ?? whole, members[last]?.[1] ?? whole]
  const { commentLine, firstLine } = start
  return { ...whole, commentLine, firstLine, lastLine: end.lastLine, tail: end.tail ?? '' }

  function areJoined(one: Member | undefined, next: Member | undefined): boolean {
    if (!one || !next || !lines.slice(one[1].lastLine, next[1].firstLine - 1).every((line) => PASSED.test(line))) {
      return false
    }
    const header = lines.slice(one[1].firstLine - 1, one[0].nameLine).join('\n')
    return language === 'python' ? OVERLOAD.test(header) : !ACCESSOR.test(header)
  }
}

function isFunction({ kind }: VisibleDefinition): boolean {
  return kind === 'function' || kind === 'method'
}
