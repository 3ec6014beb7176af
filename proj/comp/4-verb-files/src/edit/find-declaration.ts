import { basename } from 'node:path'
import { type ApprovedPath, caughtLater, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { linesOf } from '../../../1-edits/src/index.js'
import {
  editableLanguageOf, fullName, LANGUAGE_NAMES, type Outline, outline, type ParsedId, readName, type VisibleDefinition,
  type WantedName, type WholeDeclaration,
} from '../../../2-syntax/src/index.js'
import { readExisting } from '../../../2-files/src/index.js'
import { ambiguousSymbol, sharedLines, unknownSymbol } from './symbol-failures.js'
import type { SymbolPlace } from './symbol-schemas.js'

/** A declaration, and the file it is in. */
export interface FoundDeclaration {
  path: string
  target: ApprovedPath
  content: string
  /** Lines of the file, without line breaks and byte order mark. */
  lines: string[]
  language: ParsedId
  definitions: readonly VisibleDefinition[]
  definition: VisibleDefinition
  whole: WholeDeclaration & { tail: string }
  /** All declarations of the file. */
  wholes: Outline['wholes']
  /** The first line that could not be parsed. */
  errorLine: number | undefined
}

/**
 * Finds the declaration of a name in a file. One outside of functions takes precedence over local ones, and one of
 * exactly this name over those of the same name in a container.
 *
 * @throws HermesError `TEXT_NOT_FOUND`, `AMBIGUOUS_MATCH`, `INVALID_PARAMETER` for a file in a language without a
 * parser and for a declaration that shares its lines with others, and as `readExisting` and `outline`
 */
export async function findDeclaration(
  verb: string, { path, symbol, line }: SymbolPlace, context: VerbContext,
): Promise<FoundDeclaration> {
  const { target, content } = readExisting(verb, path, 'write', context)
  const language = editableLanguageOf(target)
  if (language === undefined) throw noLanguage(verb, path)
  const wanted = readName(symbol.trim()).in(language)
  if (wanted.name === '') {
    throw new HermesError('INVALID_PARAMETER', `${verb}: symbol must end with a name`, {
      hint: 'Write a name such as parse, or with its container Server.parse.',
    })
  }
  const parsed = await outlineOf(verb, language, content, { wholes: (definitions) => named(definitions, wanted) })
  const candidates = atLine(parsed, line)
  const [first, second] = candidates
  if (!first) throw unknownSymbol(verb, target, { symbol, wanted, line, parsed }, context)
  if (second) throw ambiguousSymbol(verb, symbol, candidates)
  const [definition, whole] = first
  const { tail } = whole
  if (tail === undefined) throw sharedLines(verb, fullName(definition), whole)
  const lines = linesOf(content.startsWith('\ufeff') ? content.slice(1) : content).map(({ body }) => body)
  const { definitions, wholes, errorLine } = parsed
  return {
    path, target, content, lines, language, definitions, definition, whole: { ...whole, tail }, wholes, errorLine,
  }
}

/** As `outline`, with errors that name the verb. */
export async function outlineOf(
  verb: string, language: ParsedId, text: string, options: Parameters<typeof outline>[2],
): Promise<Outline> {
  return await caughtLater(HermesError, () => outline(language, text, options), (error) => {
    throw new HermesError(error.code, `${verb}: ${error.message}`, {
      hint: 'Nothing was changed. edit_replace and file_insert change a file without parsing it.', cause: error,
    })
  })
}

function named(definitions: readonly VisibleDefinition[], wanted: WantedName): VisibleDefinition[] {
  const all = definitions.filter((definition) => wanted.matches(definition))
  const shared = all.filter((definition) => definition.shared)
  const seen = shared.length > 0 ? shared : all
  const exact = seen.filter((definition) => fullName(definition) === wanted.full)
  return exact.length > 0 ? exact : seen
}

type Candidate = [VisibleDefinition, WholeDeclaration]

/** Candidates at a line, if one is given; each declaration once, though it may define a name twice. */
function atLine({ wholes }: Outline, line: number | undefined): Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (const [definition, whole] of wholes) {
    if (line !== undefined && (line < whole.commentLine || line > whole.lastLine)) continue
    const key = JSON.stringify([fullName(definition), whole.firstLine, whole.lastLine, whole.tail === undefined])
    if (!candidates.has(key)) candidates.set(key, [definition, whole])
  }
  return [...candidates.values()]
}

function noLanguage(verb: string, path: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `${verb}: ${basename(path)} is in no language it can parse`, {
    hint: `It parses ${LANGUAGE_NAMES}. Use edit_replace with the lines quoted, or file_insert.`,
  })
}
