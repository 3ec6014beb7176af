import * as v from 'valibot'
import { described, HermesError, integer, text, type VerbContext } from '../../../0-contracts/src/index.js'
import {
  alreadyApplied, checkInserted, findOccurrences, linesAt, locate, MATCH_TIERS, type MatchTier, mayBeApplied,
  mayNeedOldText, nearestPassage, type Occurrences, ownLines, replaceFitting, replacement, splice, textFinder,
  withPlainBreaks,
} from '../../../1-edits/src/index.js'
import { approvePath, checkSize, notesOf, readExisting, writeNotes, writeText } from '../../../2-files/src/index.js'
import { ENDINGS_FIT } from './endings-fit.js'

/** Result schema of both verbs that replace text. */
export const replaceResult = v.strictObject({
  path: text('The file, as written.'),
  replacements_made: integer('How many occurrences were replaced.', 0),
  match: v.optional(described(v.picklist(MATCH_TIERS), 'How old_text was found, where tolerance was asked for.')),
  alreadyApplied: v.optional(described(v.boolean(), 'The new text stood in the place of the old one already; nothing '
    + 'was written.')),
  ...writeNotes,
})

/** Constraints of both verbs. */
export const REPLACE_CONSTRAINTS = [
  'old_text is compared character by character: no patterns, no tolerance for whitespace. Its LF stand for CRLF, too, '
    + 'but with --match exact.',
  `${ENDINGS_FIT} So it is where old_text has a CR.`,
]

/**
 * Replaces text in an existing file.
 *
 * @param verb the verb's name, as messages show it
 * @param args `count`: the number of occurrences required; if it is 1, a tolerant match is allowed
 * @param check finds the occurrences, or throws when their number is wrong; its argument has LF throughout, if
 * `old_text` has only LF
 * @throws HermesError `INVALID_PARAMETER` for an empty `old_text`, and as `readExisting` and `writeText`
 */
export function replaceInFile(
  verb: string, args: { path: string; old_text: string; new_text: string; count: number },
  context: VerbContext, check: (content: string) => Occurrences,
): v.InferOutput<typeof replaceResult> {
  const { path, old_text: oldText, new_text: newText } = args
  if (oldText === '') {
    throw new HermesError('INVALID_PARAMETER', `${verb}: old_text cannot be empty`, {
      hint: 'file_append adds at the end of a file, file_write replaces its whole content.',
    })
  }
  const isTolerant = context.match === 'tolerant'
  if (!isTolerant && args.count === 1 && isReplacedAtOnce(verb, args, context)) return { path, replacements_made: 1 }
  const { target, content } = readExisting(verb, path, 'write', context)
  const other = isTolerant && args.count === 1 ? replaceTolerantly(content, oldText, newText) : undefined
  if (other?.result === content) return { path, replacements_made: 0, alreadyApplied: true }
  const searched = context.match === 'exact' ? content : withPlainBreaks(content, oldText)
  const count = other ? 1 : check(searched).count
  // Check before building the new content, which could be far larger than memory.
  checkSize(verb, path, searched.length + count * (newText.length - oldText.length), context.limits.maxFileBytes)
  checkInserted({ verb, parameter: 'new_text', path, content, removed: oldText, inserted: newText })
  const { result, replacements } = other ? { ...other, replacements: 1 }
    : replaceFitting(content, searched, oldText, newText, count)
  const written = writeText(verb, path, target, result, context)
  const match = other?.tier ?? 'exact'
  return { path, replacements_made: replacements, ...(isTolerant && { match }), ...notesOf(written) }
}

/**
 * Replaces whole lines that the old text does not have byte for byte, in the one place where a tier finds them.
 *
 * @returns `undefined` where the text stands there exactly, or not in just one place; the content as it is, without a
 *   tier, where the edit was made before
 */
function replaceTolerantly(
  content: string, oldText: string, newText: string,
): { result: string; tier?: MatchTier } | undefined {
  if (textFinder(content, oldText)(0) !== -1) return undefined
  const located = locate(content, oldText)
  if (located.kind === 'found') {
    const { place } = located
    return { result: splice(content, place, replacement(content, place, oldText, newText)), tier: place.tier }
  }
  return located.kind === 'missing' && alreadyApplied(content, oldText, newText, 'tolerant')
    ? { result: content } : undefined
}

/**
 * In a row of edits of one file most have one place, and nothing to be said of them: then it is not copied each time.
 */
function isReplacedAtOnce(
  verb: string, { path, old_text, new_text }: { path: string; old_text: string; new_text: string },
  { gate, files, limits }: VerbContext,
): boolean {
  if (!files.replaceOnly || mayNeedOldText(new_text)) return false
  return files.replaceOnly(approvePath(gate, verb, path, 'write'), old_text, new_text, limits.maxFileBytes)
}

/** The error for a text that is not in the file, with the most similar passage. */
export function textNotFound(
  verb: string, content: string, { old_text: oldText, new_text: newText }: { old_text: string; new_text: string },
): HermesError {
  return new HermesError('TEXT_NOT_FOUND', `${verb}: old_text not found in file`, {
    hint: [
      nearestPassage(content, oldText) ?? 'Nothing in the file is like it. Read the file again with file_read.',
      ...ownLines(content, oldText),
      ...madeBefore(content, newText),
    ].join('\n'),
  })
}

/** Shortest text that is telling, in characters; shorter ones occur in files by chance. */
const LEAST_TELLING = 8

function madeBefore(content: string, newText: string): string[] {
  if (newText.trim().length < LEAST_TELLING) return []
  const { count, starts } = findOccurrences(content, newText)
  if (count !== 1) return []
  return [mayBeApplied(`line ${linesAt(content, starts)[0]}`)]
}

/** `It begins on lines 3, 9 and 27.` */
export function listLines(content: string, { count, starts }: Occurrences): string {
  const lines = linesAt(content, starts)
  if (lines.length === 1) return `It begins on line ${lines[0]}.`
  const more = count - lines.length
  const listed = more > 0
    ? `${lines.join(', ')} and ${more} more`
    : `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
  return `It begins on lines ${listed}.`
}
