import { relative, sep } from 'node:path'
import { HermesError, type ApprovedPath, type BrokenFile, type FileStore } from '../../../../0-contracts/src/index.js'
import { editableLanguageOf, type ParsedId, ParseTime, whatBroke } from '../../../../2-syntax/src/index.js'
import { hintOf, type Outcome } from '../failures.js'
import type { RunParts } from '../run-parts.js'
import { NotedFiles, textOf } from './noted-files.js'

/** Most files of one block that are parsed: a patch may change hundreds. */
const MOST_FILES = 10
/** Most errors, and most dropped definitions, reported for one file. */
const MOST_ERRORS = 5
const MOST_DROPPED = 10
/** Longest part of a line that is quoted, in UTF-16 units. */
const LONGEST_LINE = 120
/**
 * Finds the syntax errors that a block brought into the source files it wrote. It must be fast and never fail: a file
 * that cannot be parsed in time is left out.
 */
class BrokenFiles {
  /** The store that the block writes to. */
  readonly files: NotedFiles

  /** @param spareMs time beyond what parsing usually takes, for all files of the block together, in milliseconds */
  constructor(files: FileStore, private readonly root: string, private readonly spareMs: number) {
    this.files = new NotedFiles(files, MOST_FILES, (path) => editableLanguageOf(path) !== undefined)
  }

  /** The files that the block broke; `undefined` where it broke none. */
  async broken(): Promise<BrokenFile[] | undefined> {
    const time = new ParseTime(this.spareMs, this.spareMs)
    const brokenFiles: BrokenFile[] = []
    for (const [path, before] of this.files.before) {
      const language = editableLanguageOf(path)
      const after = textOf(this.files, path)
      if (language === undefined || before === null || after === null) continue
      const broken = await this.#of(path, { language, before, after }, time)
      if (broken) brokenFiles.push(broken)
    }
    return brokenFiles.length === 0 ? undefined : brokenFiles
  }

  async #of(
    path: ApprovedPath,
    { language, before, after }: { language: ParsedId; before: string | undefined; after: string }, time: ParseTime,
  ): Promise<BrokenFile | undefined> {
    try {
      const { parseErrors, dropped } = await whatBroke(language, before, after, time)
      if (parseErrors.length === 0 && dropped.length === 0) return undefined
      return {
        path: shownPath(path, this.root),
        parseErrors: parseErrors.slice(0, MOST_ERRORS).map((error) => ({
          ...error, text: error.text.slice(0, LONGEST_LINE).toWellFormed(),
        })),
        ...(parseErrors.length > MOST_ERRORS && { more: parseErrors.length - MOST_ERRORS }),
        dropped: dropped.slice(0, MOST_DROPPED),
      }
    } catch (error) {
      // Too large, too slow or too deep for the parser, or its grammar is not installed: the edit stands, unchecked.
      if (error instanceof HermesError) return undefined
      throw error
    }
  }

}

/** The path as results show it: relative to the root if below it. */
export function shownPath(path: string, root: string): string {
  const below = relative(root, path)
  return below.startsWith('..') ? path : below.replaceAll(sep, '/')
}

/** `undefined` where checks are off. */
export function brokenFilesOf({ settings, context }: Pick<RunParts, 'settings' | 'context'>): BrokenFiles | undefined {
  const { checks, syntaxMs } = settings
  return checks === 'off' ? undefined : new BrokenFiles(context.files, context.session.root, syntaxMs)
}

/** Adds the broken files to an outcome: as data, and in the hint one line for each kind of problem. */
export function withBroken(outcome: Outcome, broke: BrokenFile[] | undefined): Outcome {
  if (!broke) return outcome
  const hints = broke.flatMap(({ path, parseErrors, more = 0, dropped }) => {
    const places = parseErrors.map(({ line, text, missing }) => (
      `line ${line}${text === '' ? '' : ` ${JSON.stringify(text)}`}${missing === undefined ? '' : ` (no ${missing})`}`
    ))
    const errors = `${path} has new parse errors: ${places.join(', ')}${more > 0 ? ` and ${more} more places` : ''}.`
    const lost = dropped.map(({ name, marks }) => `${name} lost ${marks.join(', ')}`)
    return [...(places.length > 0 ? [errors] : []), ...(lost.length > 0 ? [`${path}: ${lost.join('; ')}.`] : [])]
  })
  return { ...outcome, broke, ...hintOf([outcome.hint, ...hints]) }
}
