import { basename, extname, join, relative } from 'node:path'
import * as v from 'valibot'
import {
  type ApprovedPath, defineVerb, described, HermesError, integer, isNodeError, text, titled, toolPath, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { readText, approvePath, missingPath, pathError, writtenForm } from '../../../2-files/src/index.js'
import {
  identifierAt, identifiersOnLine, LANGUAGE_NAMES, languageOf, LANGUAGES_IN_SHORT,
} from '../../../2-syntax/src/index.js'
import { CODE_ANALYSIS } from '../analysis-verb.js'
import type { DefinitionAnswer, FoundDefinition, SourceText } from './found-definition.js'
import { noLanguage } from '../called-path.js'
import { scopesOf } from './scoped/language-scopes.js'
import { excerpt, linesOf } from './symbol-lines.js'
import { symbolKind } from './symbol-kind.js'

const VERB = 'get_definition'
const MOST_LINES = 20
const MOST_NAMES = 20

const definition = titled('DefinitionPlace', {
  path: text('The file, in the form file_path was written; the name alone for TypeScript\'s own library.'),
  line: integer('Line of the name, from 1.', 1),
  column: integer('Where in the line the name begins, in UTF-16 units from 1.', 1),
  end_line: integer('Last line of the definition.', 1),
  name: text('The name.'),
  kind: symbolKind,
  text: text('The definition\'s first lines, at most 20; lines are cut at 500 characters.'),
  resolved: described(v.boolean(), 'Whether types, scopes or imports lead there; false: it is only of the same name, '
    + 'and may be something else.'),
  library: v.optional(described(v.literal(true), 'It is in TypeScript\'s own library, outside the root: it cannot be '
    + 'read.')),
})

/** Core tool: finds the definition of the symbol at a position. */
export const getDefinition = defineVerb({
  ...CODE_ANALYSIS,
  name: VERB,
  version: '1.2.0',
  description: 'Find where the name at a place in a file is defined: by imports, scopes and plain types in '
    + 'TypeScript, JavaScript, Python, Go, Java, Rust and C#, elsewhere by scope and name, or by a language server. '
    + 'By name: find_symbol.',
  requires: { packages: ['typescript'] },
  constraints: [
    `Languages: ${LANGUAGES_IN_SHORT}.`,
    'line and column must be at a name or right behind one.',
    'Files outside the root are seen only in allowed directories.',
  ],
  primary: 'file_path',
  args: v.strictObject({
    file_path: toolPath('The source file, absolute or relative to the root, e.g. "src/main.ts".'),
    line: integer('Line of the name, from 1.', 1),
    column: integer('Column of the name, in UTF-16 units from 1.', 1),
  }),
  result: v.strictObject({
    definitions: described(v.array(definition), 'Where it is defined; several for overloads and merged declarations, '
      + 'or where the types of a language are not known.'),
    external: v.optional(text('Module outside the root from which the name comes, e.g. "re". The definition is then '
      + 'the import.')),
    server: v.optional(text('Language server that says so, where one was asked.')),
    by_scope: v.optional(described(v.literal(true), 'Code is nested too deeply for the language service of TypeScript: '
      + 'found by scope and by name as in other languages; imports and types were not followed.')),
  }),
  examples: [{ file_path: 'src/main.ts', line: 2, column: 10 }],
  async handler({ file_path, line, column }, context) {
    const source = readSource(file_path, context)
    const lines = linesOf(source.text)
    if (line > lines.length) {
      throw new HermesError('RANGE_INVALID', `${VERB}: ${file_path} has ${lines.length} lines, line: ${line}`, {
        hint: lines.length === 0 ? 'The file is empty.' : `Write a line from 1 to ${lines.length}.`,
      })
    }
    const { found, external, byScope, server } = await definitionsAt(source, line, column, context)
    if ((found === undefined || found.length === 0) && external === undefined) {
      throw found && byScope ? tooDeep(file_path) : await notFound(source, lines[line - 1] ?? '', { line, column })
    }
    const definitions = found?.map((candidate) => shown(candidate, file_path, source.path, context)) ?? []
    return {
      definitions, ...(external !== undefined && { external }), ...(byScope && { by_scope: true as const }),
      ...(server !== undefined && { server }),
    }
  },
})

function readSource(path: string, context: VerbContext): SourceText {
  const target = approvePath(context.gate, VERB, path, 'read')
  const language = languageOf(target)
  try {
    const source = readText(context.files, target, context.limits.maxFileBytes, path)
    if (language !== undefined) return { path: target, language, text: source }
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') throw missingPath(VERB, path, target, context)
    if (isNodeError(error) && error.code === 'EISDIR') {
      throw pathError('EISDIR', VERB, path, 'It is a directory; write the file that holds the name.')
    }
    throw error
  }
  throw noLanguage(VERB, path, `It parses ${LANGUAGE_NAMES}. search_files finds text in any file.`)
}

interface Answer extends Omit<DefinitionAnswer, 'found'> {
  /** `undefined` where there is no name at the place. */
  found: FoundDefinition[] | undefined
  /** Language server that found it. */
  server?: string
  /** Whether scopes were used because the language service had no answer. */
  byScope: boolean
}

async function definitionsAt(source: SourceText, line: number, column: number, context: VerbContext): Promise<Answer> {
  let byScope = false
  if (context.policy.languageServers) {
    const { findByServer } = await import('./servers/server-definitions.js')
    const told = await findByServer(VERB, source.path, { line, column }, context)
    if (told) return { ...told, byScope }
  }
  if (source.language === 'typescript' || source.language === 'tsx' || source.language === 'javascript') {
    const { findInProject } = await import('./typescript/typescript-definitions.js')
    const isName = async () => await identifierAt(source.language, source.text, line, column) !== undefined
    const found = await findInProject(source.path, line, column, context, isName)
    if (found) return { ...found, byScope }
    byScope = true
  }
  const find = source.language === 'python' ? (await import('./python/python-definitions.js')).findInPython
    : scopesOf(source.language) ? (await import('./scoped/scoped-definitions.js')).findInScopes : undefined
  const resolved = await find?.(source, line, column, context)
  if (resolved) return { ...resolved, byScope }
  const { findByScope } = await import('./scope/scope-definitions.js')
  return { found: await findByScope(source, line, column, context), byScope }
}

function shown(found: FoundDefinition, written: string, approved: ApprovedPath, context: VerbContext) {
  const { path, library, text: source, name, kind, line, column, startLine, endLine, resolved } = found
  const file = path === undefined ? basename(library ?? '') : shownPath(path, written, approved, context)
  return {
    path: file,
    line,
    column,
    end_line: endLine,
    name: name.startsWith('"') ? basename(file, extname(file)) : name,
    kind,
    text: excerpt(linesOf(source), startLine, Math.min(endLine, startLine + MOST_LINES - 1)),
    resolved,
    ...(path === undefined && { library: true as const }),
  }
}

/** A path in the form of the call: relative, under an alias, or absolute; absolute outside of the root. */
function shownPath(path: ApprovedPath, written: string, approved: ApprovedPath, { session }: VerbContext): string {
  const below = relative(session.root, path)
  if (below.startsWith('..')) return path
  return approved.startsWith(session.root) ? join(writtenForm(written, approved, session.root), below) : path
}

function tooDeep(path: string): HermesError {
  return new HermesError('FILE_TOO_LARGE', `${VERB}: ${path}, or a file of its project, is nested too deeply`, {
    hint: 'The TypeScript language service cannot read it. find_symbol finds definitions by name without it.',
  })
}

async function notFound(
  { path, language, text: source }: SourceText, line: string, at: { line: number; column: number },
): Promise<HermesError> {
  const names = await identifiersOnLine(language, source, at.line)
  const here = names.find(({ name, column }) => column <= at.column && at.column <= column + name.length)
  if (here) {
    return new HermesError('TEXT_NOT_FOUND', `${VERB}: no definition of '${here.name}' found`, {
      hint: `It may be defined outside the root, or only at run time. find_symbol searches for '${here.name}' by name.`,
    })
  }
  const places = names.slice(0, MOST_NAMES).map(({ name, column }) => `${name} (${column})`).join(', ')
  return new HermesError('TEXT_NOT_FOUND', `${VERB}: no name at line ${at.line}, column ${at.column}`, {
    hint: `Line ${at.line} of ${basename(path)} is "${excerpt([line], 1, 1).trim()}". `
      + (places === '' ? 'It holds no names.' : `Names with their columns: ${places}.`),
  })
}
