import { type ApprovedPath, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import {
  fullName, type Outline, type VisibleDefinition, type WantedName, type WholeDeclaration,
} from '../../../2-syntax/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { earlierChanges } from './edit-failures.js'

/** Most names that a hint proposes, and most that it lists. */
const MOST_NEAR = 3
const MOST_LISTED = 20

/** The error for a name that a file does not declare: suggests similar names, else lists those it has. */
export function unknownSymbol(
  verb: string, target: ApprovedPath,
  { symbol, wanted, line, parsed }: { symbol: string; wanted: WantedName; line: number | undefined; parsed: Outline },
  context: VerbContext,
): HermesError {
  const { definitions, wholes, errorLine } = parsed
  const hints = [wholes.size > 0 ? elsewhere(wholes) : similar(definitions, wanted) ?? listed(definitions)]
  if (errorLine !== undefined) {
    hints.push(`From line ${errorLine} on the file could not be parsed in full: use edit_replace where that hides it.`)
  }
  const where = wholes.size > 0 && line !== undefined ? `on line ${line}` : 'in the file'
  hints.push(...earlierChanges(target, 'symbol', context))
  const message = `${verb}: no declaration of '${symbol}' ${where}`
  return new HermesError('TEXT_NOT_FOUND', message, { hint: hints.join('\n') })
}

/** The error for a name that is declared more than once, with the lines of all. */
export function ambiguousSymbol(
  verb: string, symbol: string, found: readonly [VisibleDefinition, WholeDeclaration][],
): HermesError {
  const places = found.slice(0, MOST_LISTED).map(([definition, whole]) => `${range(whole)} (${fullName(definition)})`)
  const more = found.length > MOST_LISTED ? ` and ${found.length - MOST_LISTED} more` : ''
  const differ = new Set(found.map(([definition]) => fullName(definition))).size > 1
  return new HermesError('AMBIGUOUS_MATCH', `${verb}: '${symbol}' is declared in ${found.length} places`, {
    hint: `They are lines ${places.join(', ')}${more}. `
      + (differ ? 'Write its containers too, or one of its lines in line.' : 'Write one of its lines in line.'),
  })
}

/** The error for a declaration that shares its lines with other code. */
export function sharedLines(verb: string, name: string, whole: WholeDeclaration): HermesError {
  const where = range(whole)
  const lines = whole.firstLine === whole.lastLine ? 'line' : 'lines'
  return new HermesError('INVALID_PARAMETER', `${verb}: other code stands in the ${lines} of '${name}'`, {
    hint: `Nothing was changed. Use edit_replace with ${lines} ${where} of the file quoted.`,
  })
}

export function range({ firstLine, lastLine }: WholeDeclaration): string {
  return firstLine === lastLine ? `${firstLine}` : `${firstLine}-${lastLine}`
}

function elsewhere(wholes: Outline['wholes']): string {
  const places = [...wholes].slice(0, MOST_LISTED)
    .map(([definition, whole]) => `${range(whole)} (${fullName(definition)})`)
  return `It is declared on other lines: ${places.join(', ')}.`
}

function similar(definitions: readonly VisibleDefinition[], { name, full }: WantedName): string | undefined {
  const seen = definitions.filter(({ shared }) => shared)
  const same = seen.filter((definition) => definition.name === name)
  const names = new Map(seen.flatMap((definition) => {
    const own = fullName(definition)
    return [[own, own], [definition.name, own]] as const
  }))
  const near = new Set(same.map(fullName))
  while (near.size < MOST_NEAR) {
    const nearby = nearest(full, names.keys()) ?? nearest(name, names.keys())
    if (nearby === undefined) break
    near.add(names.get(nearby) ?? nearby)
    names.delete(nearby)
  }
  return near.size === 0 ? undefined : `Did you mean ${[...near].slice(0, MOST_NEAR).join(' or ')}?`
}

function listed(definitions: readonly VisibleDefinition[]): string {
  const names = [...new Set(definitions.filter(({ shared }) => shared).map(fullName))]
  if (names.length === 0) return 'The file declares nothing.'
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : ''
  return `The file declares ${names.slice(0, MOST_LISTED).join(', ')}${more}.`
}
