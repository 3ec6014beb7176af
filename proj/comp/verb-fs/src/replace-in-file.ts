import * as v from 'valibot'
import { HermesError, integer, text } from '../../contracts/src/index.js'
import type { VerbContext } from '../../contracts/src/index.js'
import { nearestPassage } from './nearest-passage.js'
import type { Occurrences } from './occurrences.js'
import { readExisting } from './read-existing.js'
import { replaceText } from './replace-text.js'
import { checkSize, notesOf, writeNotes, writeText } from './write-text.js'

/** The result of both verbs that replace text. */
export const replaceResult = v.strictObject({
  path: text('The file, as written.'),
  replacements_made: integer('How many occurrences were replaced.', 1),
  ...writeNotes,
})

/**
 * Replaces text in an existing file.
 *
 * @param verb the verb's name, as messages show it
 * @param check says how many occurrences there are, or throws when they are not as they must be
 * @throws HermesError `INVALID_PARAMETER` for an empty `old_text`, and as `readExisting` and `writeText`
 */
export function replaceInFile(
  verb: string, args: { path: string; old_text: string; new_text: string }, context: VerbContext,
  check: (content: string) => number,
): v.InferOutput<typeof replaceResult> {
  const { path, old_text: oldText, new_text: newText } = args
  if (oldText === '') {
    throw new HermesError('INVALID_PARAMETER', `${verb}: old_text cannot be empty`, {
      hint: 'file_append adds at the end of a file, file_write replaces its whole content.',
    })
  }
  const { target, content } = readExisting(verb, path, 'write', context)
  const count = check(content)
  // Before the new content exists: it could be far larger than memory.
  checkSize(verb, path, content.length + count * (newText.length - oldText.length), context.limits.maxFileBytes)
  const { result, replacements } = replaceText(content, oldText, newText)
  const written = writeText(verb, path, target, result, context)
  return { path, replacements_made: replacements, ...notesOf(written) }
}

/** The error for a text that is not in the file, with the passage most like it. */
export function textNotFound(verb: string, content: string, oldText: string): HermesError {
  return new HermesError('TEXT_NOT_FOUND', `${verb}: old_text not found in file`, {
    hint: nearestPassage(content, oldText) ?? 'Nothing in the file is like it. Read the file again with file_read.',
  })
}

/** `It begins on lines 3, 9 and 27.` */
export function listLines({ count, lines }: Occurrences): string {
  if (lines.length === 1) return `It begins on line ${lines[0]}.`
  const more = count - lines.length
  const listed = more > 0
    ? `${lines.join(', ')} and ${more} more`
    : `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
  return `It begins on lines ${listed}.`
}
