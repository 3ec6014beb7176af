import type { FilePart } from '../../../0-contracts/src/index.js'
import { clip, isMarkdown, nearest, type Section, sectionsOf, slugOf } from '../../../0-text/src/index.js'
import {
  editableLanguageOf, fullName, outline, type ParsedId, readName, type VisibleDefinition, type WantedName,
} from '../../../2-syntax/src/index.js'

/** Where a part of a file is, or why it was not found. */
export type PartPlace = { lines: readonly [first: number, last: number] } | LostPart

export interface LostPart {
  code: 'RANGE_INVALID' | 'TEXT_NOT_FOUND' | 'AMBIGUOUS_MATCH' | 'INVALID_PARAMETER'
  /** Why it was not found: continues the path in a sentence, without a period. */
  lost: string
  /** What to write instead, as a sentence. */
  hint: string
}

const MOST_NAMES = 3
const MOST_LISTED = 10
/** Most characters shown of a name from the file. */
const MOST_NAME = 80

/**
 * Finds a part of a file in its text: lines by their present numbers; definitions and sections by name, wherever they
 * are now.
 *
 * @param path determines the language
 * @throws HermesError as `outline` of 2-syntax
 */
export async function findPart(path: string, lines: readonly string[], part: FilePart): Promise<PartPlace> {
  if (part.kind === 'lines') return placeOfLines(lines.length, part)
  if (isMarkdown(path)) return placeOfSection(sectionsOf(lines), part.name)
  const language = editableLanguageOf(path)
  if (language !== undefined) return placeOfSymbol(language, lines.join('\n'), part.name)
  return {
    code: 'INVALID_PARAMETER', lost: 'names can be looked up in source code and Markdown only',
    hint: 'Write the lines that are meant, e.g. #L10-L40.',
  }
}

function placeOfLines(count: number, { first, last }: Extract<FilePart, { kind: 'lines' }>): PartPlace {
  if (first >= 1 && first <= count) return { lines: [first, Math.min(last, count)] }
  const lost = `there is no line ${first}, the last one is ${count}`
  return { code: 'RANGE_INVALID', lost, hint: count === 0 ? 'It is empty.' : `Write lines from 1 to ${count}.` }
}

function placeOfSection(sections: readonly Section[], name: string): PartPlace {
  const slug = slugOf(name)
  const exact = sections.find((section) => section.slug === name)
    ?? sections.find(({ heading }) => heading === name) ?? sections.find((section) => section.slug === slug)
  if (exact) return { lines: [exact.firstLine, exact.lastLine] }
  return unknown(`no section '${name}'`, slug, sections.map((section) => section.slug), 'no headings')
}

async function placeOfSymbol(language: ParsedId, text: string, written: string): Promise<PartPlace> {
  const wanted = readName(written).in(language)
  const { definitions, wholes } = await outline(language, text, { wholes: (all) => chosen(all, wanted) })
  const places = [...wholes].map(([definition, { commentLine, lastLine }]) => ({
    name: fullName(definition), lines: [commentLine, lastLine] as const,
  }))
  const names = [...new Set(places.map(({ name }) => name))]
  if (places.length === 0) {
    const shared = definitions.filter((definition) => definition.shared)
    return unknown(`no definition of '${written}'`, wanted.full, shared.map(fullName), 'no definitions')
  }
  const first = Math.min(...places.map(({ lines }) => lines[0]))
  const last = Math.max(...places.map(({ lines }) => lines[1]))
  // Overloads, or an interface and a constant of one name, are next to each other.
  const inside = places.reduce((sum, { lines }) => sum + lines[1] - lines[0] + 1, 0)
  if (names.length === 1 && inside >= (last - first + 1) / 2) return { lines: [first, last] }
  const listed = places.slice(0, MOST_LISTED).map(({ name, lines: [from, to] }) => (
    `${shortName(name)} (#L${from === to ? from : `${from}-L${to}`})`
  ))
  return {
    code: 'AMBIGUOUS_MATCH', lost: `'${written}' is defined in ${places.length} places`,
    hint: `Write one of ${listed.join(', ')}.`,
  }
}

/**
 * Definitions outside of functions take precedence over local ones, and exact names over the same name in a container.
 */
function chosen(all: readonly VisibleDefinition[], wanted: WantedName): VisibleDefinition[] {
  const named = all.filter((definition) => definition.name !== '' && wanted.matches(definition))
  const shared = named.filter((definition) => definition.shared)
  const best = shared.length > 0 ? shared : named
  const exact = best.filter((definition) => fullName(definition) === wanted.full)
  return exact.length > 0 ? exact : best
}

function unknown(lost: string, wanted: string, names: readonly string[], none: string): LostPart {
  if (names.length === 0) return { code: 'TEXT_NOT_FOUND', lost, hint: `There are ${none} in it.` }
  const left = new Set(names)
  const last = wanted.slice(wanted.lastIndexOf('.') + 1)
  const near = names.filter((name) => name.endsWith(`.${last}`) || name === last).slice(0, MOST_NAMES)
  for (const name of near) left.delete(name)
  while (near.length < MOST_NAMES) {
    const nearby = nearest(wanted, left)
    if (nearby === undefined) break
    near.push(nearby)
    left.delete(nearby)
  }
  if (near.length > 0) {
    return { code: 'TEXT_NOT_FOUND', lost, hint: `Did you mean ${near.map(shortName).join(' or ')}?` }
  }
  const all = [...left]
  const more = all.length > MOST_LISTED ? ` and ${all.length - MOST_LISTED} more` : ''
  const shown = all.slice(0, MOST_LISTED).map(shortName).join(', ')
  return { code: 'TEXT_NOT_FOUND', lost, hint: `It has ${shown}${more}.` }
}

function shortName(name: string): string {
  return clip(name, MOST_NAME)
}
