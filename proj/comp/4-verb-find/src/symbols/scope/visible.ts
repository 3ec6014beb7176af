import type { IdentifierUse, VisibleDefinition } from '../../../../2-syntax/src/index.js'

/** Names by which a method refers to its own object or class. */
const SELF = new Set(['this', 'self', 'Self', 'cls', 'super', 'static', 'parent', 'base', '@'])

/**
 * The definitions in one file that a use may refer to. A plain name refers to the innermost definition around the use,
 * and of several variables to the last one before it; a name after a dot is a member.
 */
export function visibleAt(use: IdentifierUse, definitions: readonly VisibleDefinition[]): VisibleDefinition[] {
  const named = definitions.filter(({ name }) => name === use.name)
  const own = named.filter(({ nameLine, nameColumn }) => nameLine === use.line && nameColumn === use.column)
  if (own.length > 0) return own
  return use.qualifier === undefined ? innermost(use, named) : members(use, use.qualifier, named, definitions)
}

function innermost(use: IdentifierUse, named: readonly VisibleDefinition[]): VisibleDefinition[] {
  let best: VisibleDefinition[] = []
  let bestDepth = -1
  for (const definition of named) {
    if (definition.within && !isInside(use, definition.within)) continue
    const { depth } = definition
    if (depth > bestDepth) [best, bestDepth] = [[definition], depth]
    else if (depth === bestDepth) best.push(definition)
  }
  if (best.every(({ kind }) => kind === 'variable')) {
    const before = best.filter((definition) => isBefore(definition, use))
    return before.length > 0 ? before.slice(-1) : best.slice(0, 1)
  }
  return best
}

/** Members of the object's own class, of the named container, or else all members of that name. */
function members(
  use: IdentifierUse, qualifier: string, named: readonly VisibleDefinition[], all: readonly VisibleDefinition[],
): VisibleDefinition[] {
  const candidates = named.filter(isMember)
  const around = all.findLast((definition) => definition.kind === 'class' && isInside(use, definition))
  const method = all.findLast(({ kind, container, ...extent }) => (
    kind === 'method' && container !== undefined && isInside(use, extent as VisibleDefinition)
  ))
  const wanted = SELF.has(qualifier) ? [around?.name, method?.container] : [qualifier]
  const meant = candidates.filter(({ container = '' }) => (
    wanted.includes(container) || wanted.includes(lastName(container))
  ))
  return meant.length > 0 ? meant : candidates
}

/** Whether it is in a class, or defined for one elsewhere. */
export function isMember({ parameter, container, within }: VisibleDefinition): boolean {
  return !parameter && container !== undefined && (within === undefined || within.kind === 'class')
}

export function lastName(container: string): string {
  return container.slice(container.lastIndexOf('.') + 1)
}

type Extent = Pick<VisibleDefinition, 'startLine' | 'startColumn' | 'endLine' | 'endColumn'>

function isInside({ line, column }: IdentifierUse, { startLine, startColumn, endLine, endColumn }: Extent): boolean {
  return (line > startLine || (line === startLine && column >= startColumn))
    && (line < endLine || (line === endLine && column < endColumn))
}

function isBefore({ nameLine, nameColumn }: VisibleDefinition, { line, column }: IdentifierUse): boolean {
  return nameLine < line || (nameLine === line && nameColumn < column)
}
