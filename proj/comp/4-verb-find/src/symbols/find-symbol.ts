import * as v from 'valibot'
import { nameLikeness } from './name-likeness.js'
import { skippedFile } from './or-skip.js'
import {
  boundedText, defineVerb, described, flag, HermesError, integer, integerBetween, MOST_OFFSETS, text, titled, toolPath,
  type VerbContext,
} from '../../../0-contracts/src/index.js'
import { readText } from '../../../2-files/src/index.js'
import {
  fullName, isByPattern, LANGUAGE_NAMES, languageOf, LANGUAGES_IN_SHORT, readName, type VisibleDefinition,
  type WantedName,
} from '../../../2-syntax/src/index.js'
import { indexOf, type IndexScope, type IndexView } from '../../../3-code-index/src/index.js'
import { CODE_ANALYSIS } from '../analysis-verb.js'
import { calledPath, noLanguage } from '../called-path.js'
import { MATCHES, nearest } from './match-names.js'
import { KIND_NAMES, symbolKind } from './symbol-kind.js'
import { FileLines } from './file-lines.js'
import { MOST_WORK_MS } from './references/work-time.js'
import { resolveSymbols, type ResolvedSymbols } from './resolved-symbols.js'
import { findSymbols, type FoundSymbols } from './symbol-search.js'

const MOST_SHOWN = 5
/** Names whose definitions are looked at: some are only parameters. */
const MOST_TRIED = 40

const VERB = 'find_symbol'
const MOST_RESULTS = 1000
const MOST_OFFSET = MOST_OFFSETS.find_symbol
const MOST_SKIPPED = 50
const MOST_LANGUAGES = 5
const MOST_INCOMPLETE = 10
/** Most times that a search starts over because a file changed without its times showing it. */
const MOST_ROUNDS = 3

const symbol = titled('SymbolDefinition', {
  name: text('The name.'),
  kind: symbolKind,
  path: text('The file, written as the path searched.'),
  line: integer('Line of the name, from 1.', 1),
  column: integer('Where in the line the name begins, in UTF-16 units from 1.', 1),
  end_line: integer('Last line of the definition.', 1),
  container: v.optional(text('Names of what it is in, e.g. "Server" or "net.Server"; none at the top of a file.')),
  language: text('Language of the file, e.g. typescript.'),
  by_pattern: v.optional(described(v.literal(true), 'Found by a pattern of its line, since no grammar reads the '
    + 'language.')),
  text: text('The line of the name, cut at 500 characters.'),
})
const reference = titled('SymbolReference', {
  path: text('The file, written as the path searched.'),
  line: integer('Line, from 1.', 1),
  column: integer('Where in the line the name begins, in UTF-16 units from 1.', 1),
  kind: v.optional(described(v.picklist(['call', 'import', 'type']), 'What it does there, if it is one of these.')),
  text: text('The line, cut at 500 characters.'),
  resolved: described(v.boolean(), 'Whether types, scopes or imports lead to one of the definitions; false: it is '
    + 'only of the same name, and may be something else.'),
})
const unparsed = titled('UnparsedLanguage', {
  language: text('As people call it, e.g. Zig.'), files: integer('How many there are.', 1),
})
const incompleteFile = titled('IncompleteFile', {
  path: text('The file.'), lines: text('The lines that could not be read as code, e.g. "12-40".'),
})
const result = v.strictObject({
  symbols: described(v.array(symbol), 'Where it is defined: nearest names first, then what is at the top of a file, '
    + 'then members, local variables last; by path and line. Empty where it is not defined.'),
  total: v.optional(integer('How many definitions there are, where these are not all.', 0)),
  references: v.optional(described(v.array(reference), 'Where else the name is used, with include_references: what is '
    + 'resolved first, by path and line.')),
  unrelated: v.optional(integer('Uses of the name that mean something else, and are left out.', 1)),
  undecided: v.optional(integer(
    'Uses that are only by name since resolving all would have taken too long: calling again goes on with it.', 1,
  )),
  total_references: v.optional(integer(
    'How many uses there are, where these are not all; at most, where some are undecided.', 0,
  )),
  next_offset: v.optional(integer('The offset to go on with, where there are more.', 1)),
  similar: v.optional(described(v.array(v.string()), 'Where nothing was found: definitions with names like it.')),
  unparsed: v.optional(described(v.array(unparsed), 'Languages that are there and cannot be parsed: nothing was '
    + 'searched in these.')),
  incomplete: v.optional(described(v.array(incompleteFile), 'Files with the name in which some lines are no valid '
    + 'code: definitions may be missing; at most 10.')),
  skipped: v.optional(described(v.array(skippedFile), 'What could not be searched, if anything; at most 50.')),
})
type Result = v.InferOutput<typeof result>

/** Core tool: finds definitions by name, and their references. */
export const findSymbol = defineVerb({
  ...CODE_ANALYSIS,
  name: VERB,
  description: 'Find where a class, function, method or variable of a name is defined: in one source file, or in all '
    + 'below a directory that git does not ignore; not in strings or comments. What a use means: get_definition.',
  version: '1.1.0',
  constraints: [
    `Languages: ${LANGUAGES_IN_SHORT}; others by patterns of lines, with gaps.`,
    'Parameters, imports and properties of object literals are not found.',
    'Links and folders such as node_modules, vendor and target are left out.',
  ],
  primary: 'symbol_name',
  args: v.strictObject({
    symbol_name: boundedText(
      'Name to find, e.g. "parse"; with its container it finds fewer: "Server.listen". One in lower case also finds '
        + 'names that differ by case, if none is written so.', { min: 1, max: 500 },
    ),
    symbol_type: v.optional(described(v.picklist(KIND_NAMES), 'What it is. class: also interfaces, structs, enums, '
      + 'traits, type aliases, namespaces. method: also constructors and accessors. variable: also constants, fields '
      + 'and enum members. Default: any.')),
    path: v.optional(toolPath('File or directory to search. Default: the root.'), '.'),
    include_references: flag('Whether to return where the name is used, too: resolved by types or imports in '
      + 'TypeScript, JavaScript, Python, Go, Java, Rust and C#, elsewhere by name. Default: no.', false),
    match: v.optional(described(v.picklist(MATCHES), 'exact: the name as it is. substring: names that hold it. fuzzy: '
      + 'names like it. Default: exact.'), 'exact'),
    max_results: v.optional(
      integerBetween('Most definitions to return, and most references. Default: 50.', 1, MOST_RESULTS), 50,
    ),
    offset: v.optional(
      integerBetween('How many of each to leave out first: next_offset of the last call. Default: 0.', 0, MOST_OFFSET),
      0,
    ),
  }),
  check: ({ symbol_name: name }) => void readWanted(name),
  result,
  examples: [
    { symbol_name: 'main' },
    { symbol_name: 'Server.listen', symbol_type: 'method', path: 'src', include_references: true },
    { symbol_name: 'parse', match: 'substring', max_results: 20 },
  ],
  async handler({ symbol_name, symbol_type, path, include_references, match, max_results, offset }, context) {
    const wanted = readWanted(symbol_name)
    const request = { wanted, match, kind: symbol_type, withReferences: include_references }
    const page = { from: offset, to: offset + Math.min(max_results, context.limits.maxMatches) }
    const scope = scopeAt(path, context)
    let distrusted: ReadonlySet<string> | undefined
    for (let round = 1; ; round++) {
      const view = await indexOf(context).refresh(scope, context, distrusted)
      const resolvedSymbols = await resolveSymbols(VERB, findSymbols(view, request), view, context)
      const lines = new FileLines(context)
      const data = pageOf(resolvedSymbols, page, { lines, withReferences: include_references })
      if (lines.stale.size > 0 && round < MOST_ROUNDS) {
        distrusted = lines.stale
        continue
      }
      for (const why of resolvedSymbols.onlyByName) context.advise?.(`References are only told by name: ${why}`)
      if (data.undecided !== undefined) context.advise?.(undecidedHint(data.undecided))
      if (data.next_offset !== undefined) context.advise?.(moreHint(data, page.from))
      return { ...data, ...notesOf(view, resolvedSymbols, wanted) }
    }
  },
})

function pageOf(
  { symbols, references, unrelated, undecided }: ResolvedSymbols, { from, to }: { from: number; to: number },
  { lines, withReferences }: { lines: FileLines; withReferences: boolean },
): Omit<Result, 'similar' | 'unparsed' | 'incomplete' | 'skipped'> {
  const shown = symbols.slice(from, to).flatMap(({ file, definition }) => {
    const { name, kind, nameLine: line, nameColumn: column, endLine: end_line, container } = definition
    const here = lines.at(file, { name, line, column })
    if (here === undefined) return []
    return {
      name, kind, path: file.shown, line, column, end_line, ...(container !== undefined && { container }),
      language: file.language, ...(isByPattern(file.language) && { by_pattern: true as const }),
      text: here,
    }
  })
  const used = references.slice(from, to).flatMap(({ file, occurrence, resolved }) => {
    const { name, line, column, kind } = occurrence
    const here = lines.at(file, { name, line, column })
    if (here === undefined) return []
    const does = kind === 'call' || kind === 'import' || kind === 'type' ? kind : undefined
    return { path: file.shown, line, column, ...(does && { kind: does }), text: here, resolved }
  })
  return {
    symbols: shown,
    ...(shown.length < symbols.length && { total: symbols.length }),
    ...(withReferences && { references: used }),
    ...(unrelated > 0 && { unrelated }),
    ...(undecided > 0 && { undecided }),
    ...(used.length < references.length && { total_references: references.length }),
    ...(Math.max(symbols.length, references.length) > to && to <= MOST_OFFSET && { next_offset: to }),
  }
}

function notesOf(
  view: IndexView, { symbols, references, elsewhere, incomplete }: FoundSymbols, wanted: WantedName,
): Pick<Result, 'similar' | 'unparsed' | 'incomplete' | 'skipped'> {
  const similar = symbols.length > 0 ? [] : similarNames(view, wanted, elsewhere)
  // A definition hidden by a syntax error may be in any file.
  const isNowhere = symbols.length === 0 && references.length === 0 && incomplete.length === 0
  const broken = isNowhere ? view.files.filter((file) => view.isBroken(file)) : incomplete
  return {
    ...(similar.length > 0 && { similar }),
    ...(view.unparsed.length > 0 && { unparsed: view.unparsed.slice(0, MOST_LANGUAGES) }),
    ...(broken.length > 0 && {
      incomplete: broken.slice(0, MOST_INCOMPLETE).map((file) => ({
        path: file.shown, lines: rangesOf(view.errorsIn(file)),
      })),
    }),
    ...(view.skipped.length > 0 && { skipped: view.skipped.slice(0, MOST_SKIPPED) }),
  }
}

/** The first ranges, and how many more. */
function rangesOf(ranges: readonly (readonly [first: number, last: number])[]): string {
  const shown = ranges.slice(0, 3).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
  return ranges.length > 3 ? `${shown} and ${ranges.length - 3} more` : shown
}

function undecidedHint(undecided: number): string {
  return `${undecided} references could not be resolved in ${MOST_WORK_MS / 1000} s of work, and are told by name: `
    + 'call again to go on, or write a container, symbol_type or narrower path.'
}

function moreHint({ total, total_references: uses, next_offset: next }: Partial<Result>, from: number): string {
  const counts = [
    ...(total === undefined ? [] : [`${total} definitions`]),
    ...(uses === undefined ? [] : [`${uses} references`]),
  ].join(' and ')
  return `There are ${counts}, shown from ${from + 1} to ${next}; go on with offset: ${next}, or write a container, `
    + 'symbol_type or narrower path.'
}

function readWanted(written: string): WantedName {
  const wanted = readName(written)
  if (wanted.name.trim() !== '') return wanted
  throw new HermesError('INVALID_PARAMETER', `${VERB}: symbol_name must end with a name`, {
    hint: 'Write a name such as parse, or with its container Server.parse.',
  })
}

function scopeAt(path: string, context: VerbContext): IndexScope {
  const called = calledPath(VERB, path, context)
  if (called.kind === 'file') {
    if (languageOf(called.start) === undefined) {
      throw noLanguage(VERB, path, `It parses ${LANGUAGE_NAMES}. search_files finds text in any file.`)
    }
    // Only for what keeps it from being read, which a file named in the call must tell.
    readText(context.files, called.start, context.limits.maxFileBytes, path)
  }
  return { ...called, shown: path, verb: VERB }
}

/**
 * Definitions with names like one that is not defined: those of the same name in other containers, else names whose
 * words begin with it or that differ by little. What can be used in other files comes before what is local.
 */
function similarNames(
  view: IndexView, wanted: WantedName, elsewhere: readonly VisibleDefinition[],
): string[] {
  if (elsewhere.length > 0) return [...new Set(elsewhere.map(fullName))].slice(0, MOST_SHOWN)
  const near = nearest(view, nameLikeness(wanted.name), MOST_TRIED).flatMap(({ name }) => {
    const definitions = view.definitionsNamed(name).map(({ definition }) => definition)
    const own = definitions.filter(({ parameter }) => !parameter)
    const best = own.find(({ shared }) => shared) ?? own[0]
    return best ? [best] : []
  })
  const inOrder = [...near.filter(({ shared }) => shared), ...near.filter(({ shared }) => !shared)]
  return [...new Set(inOrder.map(fullName))].slice(0, MOST_SHOWN)
}
