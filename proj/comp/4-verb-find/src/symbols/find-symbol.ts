import { basename, join } from 'node:path'
import * as v from 'valibot'
import {
  type ApprovedPath, boundedText, defineVerb, flag, HermesError, integer, text, toolPath, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { readText, approvePath, missingPath, pathError } from '../../../2-files/src/index.js'
import { LANGUAGE_NAMES, languageOf, readName, type WantedName } from '../../../2-syntax/src/index.js'
import { similarNames } from './similar-names.js'
import { type OnSkip, sourceFiles, type SourceFile } from './source-files.js'
import { KIND_NAMES, symbolKind } from './symbol-kind.js'
import { SymbolSearch } from './symbol-search.js'

const VERB = 'find_symbol'

const symbol = v.pipe(
  v.strictObject({
    name: text('The name.'),
    kind: symbolKind,
    path: text('The file, written as the path searched.'),
    line: integer('Line of the name, from 1.', 1),
    column: integer('Where in the line the name begins, in UTF-16 units from 1.', 1),
    end_line: integer('Last line of the definition.', 1),
    container: v.optional(text('Names of what it is in, e.g. "Server" or "net.Server"; none at the top of a file.')),
    language: text('Language of the file, e.g. typescript.'),
    text: text('The line of the name, cut at 500 characters.'),
  }),
  v.title('SymbolDefinition'),
)
const reference = v.pipe(
  v.strictObject({
    path: text('The file, written as the path searched.'),
    line: integer('Line, from 1.', 1),
    column: integer('Where in the line the name begins, in UTF-16 units from 1.', 1),
    text: text('The line, cut at 500 characters.'),
  }),
  v.title('SymbolReference'),
)
const skippedFile = v.pipe(
  v.strictObject({ path: text('File or directory.'), reason: text('Why it was passed over.') }), v.title('SkippedFile'),
)
const result = v.strictObject({
  symbols: v.pipe(v.array(symbol), v.description('Where it is defined, by path and line; empty where it is not.')),
  references: v.optional(v.pipe(
    v.array(reference), v.description('Where else the name is used, with include_references.'),
  )),
  similar: v.optional(v.pipe(
    v.array(v.string()), v.description('Where nothing was found: definitions with names like it.'),
  )),
  skipped: v.optional(v.pipe(
    v.array(skippedFile), v.description('What could not be searched, if anything; at most 50.'),
  )),
})

/** Seed 004 `find_symbol` (FR-056 to FR-060). */
export const findSymbol = defineVerb({
  name: VERB,
  vocabulary: 'core',
  description: 'Find where a class, function, method or variable of this exact name is defined: in one source file, or '
    + 'in all below a directory but those that .gitignore excludes. Strings and comments are not searched. For what a '
    + 'use of a name means, call get_definition.',
  category: 'code_analysis',
  type: 'read',
  constraints: [
    `Languages: ${LANGUAGE_NAMES}.`,
    'Parameters, imports and plain properties of object literals are not found.',
    'References are found by name alone.',
    'Links and node_modules are passed over.',
  ],
  primary: 'symbol_name',
  args: v.strictObject({
    symbol_name: boundedText(
      'Name to find; case matters. With its container it finds fewer: "parse", "Server.listen".', { min: 1, max: 500 },
    ),
    symbol_type: v.optional(v.pipe(
      v.picklist(KIND_NAMES),
      v.description('What it is. class: also interfaces, structs, enums, traits, type aliases, namespaces. '
        + 'method: also '
        + 'constructors and accessors. variable: also constants, fields and enum members. Default: any.'),
    )),
    path: v.optional(toolPath('File or directory to search. Default: the root.'), '.'),
    include_references: flag('Whether to return where the name is used, too. Default: no.', false),
  }),
  check: ({ symbol_name: name }) => void readWanted(name),
  result,
  examples: [
    { symbol_name: 'main' },
    { symbol_name: 'Server.listen', symbol_type: 'method', path: 'src', include_references: true },
  ],
  async handler({ symbol_name, symbol_type, path, include_references }, context) {
    const wanted = readWanted(symbol_name)
    const search = new SymbolSearch(VERB, {
      wanted, kind: symbol_type, withReferences: include_references, most: context.limits.maxMatches,
    })
    const files = (onSkip: OnSkip) => filesAt(path, context, onSkip)
    for await (const file of files(search.onSkip)) if (file.text.includes(wanted.name)) await search.add(file)
    if (search.symbols.length > 0) return search.result()
    return search.result(await similarNames(VERB, wanted, search, files(() => undefined), context.signal))
  },
})

function readWanted(written: string): WantedName {
  const wanted = readName(written)
  if (wanted.name.trim() !== '') return wanted
  throw new HermesError('INVALID_PARAMETER', `${VERB}: symbol_name must end with a name`, {
    hint: 'Write a name such as parse, or with its container Server.parse.',
  })
}

async function* filesAt(path: string, context: VerbContext, onSkip: OnSkip): AsyncGenerator<SourceFile> {
  const start = approvePath(context.gate, VERB, path, 'read')
  const found = context.files.stat(start)
  if (found === undefined) throw missingPath(VERB, path, start, context)
  if (found.kind === 'directory') yield* sourceFiles(VERB, start, path, context, onSkip)
  else if (found.kind === 'file') yield namedFile(start, path, context)
  else throw pathError('EACCES', VERB, path, 'It is neither a file nor a directory.')
}

function namedFile(start: ApprovedPath, path: string, { files, limits }: VerbContext): SourceFile {
  const language = languageOf(start)
  if (language === undefined) {
    throw new HermesError('INVALID_PARAMETER', `${VERB}: ${basename(path)} is in no language it can parse`, {
      hint: `It parses ${LANGUAGE_NAMES}. search_files finds text in any file.`,
    })
  }
  return { path: start, shown: join(path), language, text: readText(files, start, limits.maxFileBytes, path) }
}
