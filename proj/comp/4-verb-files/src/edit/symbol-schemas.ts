import * as v from 'valibot'
import { boundedText, described, integer, path, text } from '../../../0-contracts/src/index.js'
import { LANGUAGES_IN_SHORT } from '../../../2-syntax/src/index.js'
import { writeNotes } from '../../../2-files/src/index.js'
import { EDIT } from './edit-verb.js'

/** What the structural edits have in common. */
export const symbolArgs = {
  path: path('Source file to change, absolute or relative to the root.'),
  symbol: boundedText(
    'Name of a class, function, method or variable of the file; case matters. With its containers it finds fewer: '
      + '"parse", "Server.listen".', { min: 1, max: 500 },
  ),
  line: v.optional(integer('One of its lines, where several have the name.', 1)),
}

/** Names a declaration. */
export type SymbolPlace = v.InferOutput<v.StrictObjectSchema<typeof symbolArgs, undefined>>

export const symbolResult = v.strictObject({
  path: text('The file, as written.'),
  symbol: text('The declaration that was found, with its containers.'),
  startLine: integer('First of the new lines, as the file is now.', 1),
  endLine: integer('The last of them; one less than startLine where lines were deleted.', 0),
  alreadyApplied: v.optional(described(v.literal(true), 'The new text stood there already; nothing was written.')),
  ...writeNotes,
})
export type SymbolResult = v.InferOutput<typeof symbolResult>

export const SYMBOL_CONSTRAINTS = [
  `Languages: ${LANGUAGES_IN_SHORT}. Other files: edit_replace, file_insert.`,
  'A declaration must have its lines for itself. A file of over 1,048,576 characters is not parsed.',
]

/** What the verbs that put lines beside a declaration have in common. */
export const SYMBOL_INSERT = {
  ...EDIT,
  constraints: [...SYMBOL_CONSTRAINTS, 'new_text may be any lines, but not blank.'],
  primary: 'path',
  onlyFile: 'path',
  args: v.strictObject({ ...symbolArgs, new_text: text('The lines to put in.') }),
  result: symbolResult,
} as const
