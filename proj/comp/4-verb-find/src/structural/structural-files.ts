import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type ApprovedPath, caughtLater, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, looksBinary, pathShower, readText, walk, wasReplaced } from '../../../2-files/src/index.js'
import {
  editableLanguageOf, GRAMMAR_IDS, type GrammarId, LANGUAGE_NAMES, type ParsedId, type QueryDoubt, StructuralMatcher,
  type StructuralMatch, type StructuralQuery,
} from '../../../2-syntax/src/index.js'
import type { SkippedFile } from '../../../3-code-index/src/index.js'
import { calledPath, noLanguage, pathFilter } from '../called-path.js'
import { orSkip } from '../symbols/or-skip.js'
import { readQuery, refusedQuery, type StructuralArgs, wordsOf } from './structural-query.js'

const PARSER_CODES = new Set(['FILE_TOO_LARGE', 'TIMEOUT', 'NOT_INSTALLED'])

/** A structural search, from a call's parameters. */
export interface StructuralRequest {
  verb: string
  query: StructuralQuery
  start: ApprovedPath
  /** The start, as written. */
  path: string
  isFile: boolean
  language: GrammarId | undefined
  /** Which files to include, by relative path. */
  includes: (relative: string) => boolean
}

export interface MatchedFile {
  path: ApprovedPath
  /** As results show it. */
  shown: string
  language: ParsedId
  content: string
  /** At least one. */
  matches: StructuralMatch[]
  /** Whether part of it has a syntax error. */
  isBroken: boolean
}

/** Further facts about a search. */
export interface StructuralNotes {
  searched: number
  skipped: SkippedFile[]
  /** Files with a syntax error, with or without a match. */
  broken: string[]
}

/** @throws HermesError `INVALID_PARAMETER`, and as `approvePath`; `ENOENT`, `EACCES` */
export function structuralRequest(verb: string, args: StructuralArgs, context: VerbContext): StructuralRequest {
  const { path, include, language } = args
  const query = readQuery(verb, args)
  const { start, kind } = calledPath(verb, path, context)
  const isFile = kind === 'file'
  if (isFile && language === undefined && editableLanguageOf(start) === undefined) {
    const hint = `It parses ${LANGUAGE_NAMES}. Where the name does not tell the language, write it as language.`
    throw noLanguage(verb, path, hint)
  }
  return { verb, query, start, path, isFile, language, includes: pathFilter(verb, 'include', include) }
}

/**
 * Searches all files of a call for the query, sorted by path.
 *
 * @param most most matches reported of one file
 * @param visit receives each file with matches; if it returns false, the search ends
 * @throws HermesError `INVALID_PARAMETER` where the query is valid in no language of these files, or too complex for
 * ast-grep; `CANCELLED`; for a file named in the call, whatever keeps it from being searched
 */
export async function searchStructures(
  request: StructuralRequest, context: VerbContext, most: number, visit: (file: MatchedFile) => boolean,
): Promise<StructuralNotes> {
  const { verb, query, isFile } = request
  const notes: StructuralNotes = { searched: 0, skipped: [], broken: [] }
  const doubts = new Map<GrammarId, QueryDoubt | undefined>()
  let hasMatches = false
  const words = wordsOf(query)
  const matcher = new StructuralMatcher(query, context.signal)
  const search = async ({ path, shown, language }: SourceFile): Promise<MatchedFile | undefined> => {
    const content = readText(context.files, path, context.limits.maxFileBytes, shown)
    notes.searched++
    if (words.some((word) => !content.includes(word))) {
      // An invalid query must be reported even if no file contains its words.
      if (isGrammar(language) && !doubts.has(language)) doubts.set(language, await matcher.doubt(language))
      return undefined
    }
    const { grammar, doubt, matches, hasError } = await matcher.matches(language, content, most)
    if (grammar !== undefined) doubts.set(grammar, doubt)
    if (hasError) notes.broken.push(shown)
    return matches.length > 0 ? { path, shown, language, content, matches, isBroken: hasError } : undefined
  }
  try {
    for await (const file of sourceFiles(request, context, notes.skipped)) {
      // Yield, so that an abort can arrive: reading is synchronous.
      await setImmediate()
      checkSignal(context.signal)
      const matchedFile = isFile
        ? await named(verb, () => search(file))
        : await orSkip(verb, file.shown, (skippedFile) => notes.skipped.push(skippedFile), () => (
          orGone(file, context, () => search(file))
        ))
      hasMatches ||= matchedFile !== undefined
      if (matchedFile && !visit(matchedFile)) break
    }
  } finally {
    await matcher[Symbol.asyncDispose]()
  }
  const all = [...doubts].flatMap(([language, doubt]) => (doubt ? [{ language, ...doubt }] : []))
  const [first] = all
  if (first && !hasMatches && all.length === doubts.size) throw refusedQuery(verb, query, first.language, first.reason)
  const refused = all.filter(({ isRefusal }) => isRefusal).map(({ language }) => language)
  if (refused.length > 0) {
    context.advise?.(`ast-grep does not take it for ${refused.join(', ')}: files in these were not searched.`)
  }
  return notes
}

function isGrammar(language: ParsedId): language is GrammarId {
  return (GRAMMAR_IDS as readonly ParsedId[]).includes(language)
}

interface SourceFile {
  path: ApprovedPath
  shown: string
  language: ParsedId
}

async function* sourceFiles(
  { start, path, isFile, language, includes }: StructuralRequest, context: VerbContext, skipped: SkippedFile[],
): AsyncGenerator<SourceFile> {
  if (isFile) {
    const own = language ?? editableLanguageOf(start)
    if (own !== undefined) yield { path: start, shown: path, language: own }
    return
  }
  const inForm = pathShower(context)
  const walked = walk(start, context, {
    gitignore: true, dependencies: false, odd: true, order: 'name',
    onUnreadable: (relative, error) => skipped.push({ path: inForm(join(path, relative)), reason: error.message }),
  })
  for await (const { path: target, relative } of walked) {
    const own = editableLanguageOf(relative)
    if (own === undefined || (language !== undefined && own !== language) || !includes(relative)) continue
    yield { path: target, shown: inForm(join(path, relative)), language: own }
  }
}

/** Adds the verb's name to the parser's errors. */
async function named<Value>(verb: string, search: () => Promise<Value>): Promise<Value> {
  return await caughtLater(HermesError, search, (error) => {
    if (!PARSER_CODES.has(error.code)) throw error
    const { code, message, hint } = error
    throw new HermesError(code, `${verb}: ${message}`, { ...(hint !== undefined && { hint }), cause: error })
  })
}

/**
 * Reads a file; `undefined` for one that is binary, or was replaced since it was found. Other encodings are reported.
 */
async function orGone<Value>(
  { path }: SourceFile, { files, limits }: VerbContext, read: () => Promise<Value>,
): Promise<Value | undefined> {
  return await caughtLater(wasReplaced, read, (error) => {
    const isCode = error.code === 'NOT_TEXT' && files.stat(path)?.kind === 'file'
      && !looksBinary(files.peekBytes(path, limits.maxFileBytes))
    if (!isCode) return undefined
    throw error
  })
}
