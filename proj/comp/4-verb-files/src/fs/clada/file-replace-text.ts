import * as v from 'valibot'
import { absolutePath, defineVerb, HermesError, integer, text } from '../../../../0-contracts/src/index.js'
import { findOccurrences, linesAt } from '../../../../1-edits/src/index.js'
import { listLines, REPLACE_CONSTRAINTS, replaceInFile, replaceResult, textNotFound } from '../replace-in-file.js'
import { CLADA_WRITE } from '../verb-kinds.js'

/** Replaces exactly `count` occurrences of a text; data `{path, replacements_made}`. */
export const fileReplaceText = defineVerb({
  ...CLADA_WRITE,
  name: 'file_replace_text',
  description: 'Replace text in a file. old_text must occur exactly count times, by default exactly once; otherwise '
    + 'nothing is written.',
  constraints: REPLACE_CONSTRAINTS,
  primary: 'path',
  onlyFile: 'path',
  args: v.strictObject({
    path: absolutePath('File to change.'),
    old_text: text('Text to replace, exactly as it stands in the file.'),
    new_text: text('Text to put in its place.'),
    count: v.optional(integer('How many times old_text occurs; all of them are replaced.', 1), 1),
  }),
  result: replaceResult,
  examples: [
    { path: '/workspace/src/config.ts', old_text: 'debug: true', new_text: 'debug: false' },
    { path: '/workspace/src/config.ts', old_text: 'oldName', new_text: 'newName', count: 3 },
  ],
  handler({ path, old_text, new_text, count }, context) {
    return replaceInFile('file_replace_text', { path, old_text, new_text, count }, context, (content) => {
      const occurrences = findOccurrences(content, old_text)
      if (occurrences.count === 0) throw textNotFound('file_replace_text', content, { old_text, new_text })
      if (occurrences.overlap !== undefined) {
        throw new HermesError(
          'AMBIGUOUS_MATCH',
          `file_replace_text: occurrences of old_text overlap at line ${linesAt(content, [occurrences.overlap])[0]}`,
          { hint: 'Add surrounding text to old_text, so that its occurrences do not share characters.' },
        )
      }
      if (occurrences.count !== count) {
        const problem = count === 1
          ? `old_text appears ${occurrences.count} times, must appear exactly once`
          : `expected ${count} occurrences but found ${occurrences.count}`
        const remedy = occurrences.count === 1
          ? 'Leave out count to replace it.'
          : 'Add surrounding lines to old_text to name the one you mean, or write '
            + `count = "${occurrences.count}" to replace all (a number in envelopes and tool calls).`
        throw new HermesError('TEXT_COUNT_MISMATCH', `file_replace_text: ${problem}`, {
          hint: `${listLines(content, occurrences)} ${remedy}`,
        })
      }
      return occurrences
    })
  },
})
