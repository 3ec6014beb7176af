import * as v from 'valibot'
import { absolutePath, defineVerb, HermesError, integer, text } from '../../../../0-contracts/src/index.js'
import { findOccurrences } from '../../../../1-edits/src/index.js'
import { listLines, REPLACE_CONSTRAINTS, replaceInFile, replaceResult, textNotFound } from '../replace-in-file.js'
import { CLADA_WRITE } from '../verb-kinds.js'

/** Replaces all occurrences of a text; data `{path, replacements_made}`. */
export const fileReplaceAllText = defineVerb({
  ...CLADA_WRITE,
  name: 'file_replace_all_text',
  description: 'Replace every occurrence of a text in a file, from left to right. With count, there must be exactly '
    + 'that many; otherwise nothing is written.',
  constraints: REPLACE_CONSTRAINTS,
  primary: 'path',
  onlyFile: 'path',
  args: v.strictObject({
    path: absolutePath('File to change.'),
    old_text: text('Text to replace, exactly as it stands in the file.'),
    new_text: text('Text to put in its place.'),
    count: v.optional(integer('How many times old_text must occur.', 1)),
  }),
  result: replaceResult,
  examples: [{ path: '/workspace/src/config.ts', old_text: 'oldName', new_text: 'newName' }],
  handler({ path, old_text, new_text, count }, context) {
    return replaceInFile('file_replace_all_text', {
      path, old_text, new_text, count: count ?? 0,
    }, context, (content) => {
      const places = findOccurrences(content, old_text)
      if (places.count === 0) throw textNotFound('file_replace_all_text', content, { old_text, new_text })
      if (count !== undefined && places.count !== count) {
        throw new HermesError(
          'TEXT_COUNT_MISMATCH', `file_replace_all_text: expected ${count} occurrences but found ${places.count}`,
          { hint: `${listLines(content, places)} Write count = "${places.count}", or leave it out, to replace all.` },
        )
      }
      return places
    })
  },
})
