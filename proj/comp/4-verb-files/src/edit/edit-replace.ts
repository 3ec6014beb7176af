import * as v from 'valibot'
import { defineVerb, described, HermesError, integer, path as pathOf, text } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import {
  alreadyApplied, checkInserted, locate, MATCH_TIERS, replacement, splice, type MatchMode, type Place,
} from '../../../1-edits/src/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import {
  checkSize, fileToWrite, notesOf, parentNotes, parentsOf, readExisting, readText, writeNotes, writeText,
  writeWithParents,
} from '../../../2-files/src/index.js'
import { ambiguous, notFound } from './edit-failures.js'
import { EDIT } from './edit-verb.js'

const BOM = '\ufeff'

const VERB = 'edit_replace'

const result = v.strictObject({
  path: text('The file, as written.'),
  match: v.optional(described(v.picklist(MATCH_TIERS), 'How old_text was found: byte for byte, or by which '
    + 'tolerance.')),
  startLine: v.optional(integer('First line of the passage, as the file is now.', 1)),
  endLine: v.optional(integer('Its last line; one less than startLine where lines were deleted.', 0)),
  alreadyApplied: v.optional(described(v.boolean(), 'The new text stood in the place of the old one already; nothing '
    + 'was written.')),
  created: v.optional(described(v.boolean(), 'The file is new.')),
  ...parentNotes,
  ...writeNotes,
})
type Result = v.InferOutput<typeof result>

/** The verb of SEARCH/REPLACE blocks: replaces whole lines of a file. */
export const editReplace = defineVerb({
  ...EDIT,
  name: VERB,
  description: 'Replace whole lines of a file by others. old_text must stand in exactly one place: byte for byte, or '
    + 'but for space at line ends, indentation shifted as a whole (or spaces for tabs throughout), or look-alike '
    + 'characters. Lines that both texts have stay as they are in the file; new ones are indented and end as those '
    + 'around them.',
  constraints: [
    'Empty old_text creates a file, with missing parent directories. Empty new_text deletes the lines.',
    'With --match exact only byte for byte. The last line break of either text is of no account.',
  ],
  primary: 'path',
  onlyFile: 'path',
  args: v.strictObject({
    path: pathOf('File to change, absolute or relative to the root.'),
    old_text: text('Whole lines of the file, enough of them to stand in one place only.'),
    new_text: text('The lines to put in their place.'),
  }),
  result,
  examples: [
    { path: 'src/config.ts', old_text: '  debug: true,\n', new_text: '  debug: false,\n  verbose: false,\n' },
    { path: 'src/new.ts', old_text: '', new_text: 'export const answer = 42\n' },
  ],
  handler({ path, old_text: oldText, new_text: newText }, context) {
    if (oldText.trim() === '') return createFile(VERB, path, newText, context)
    const { target, content } = readExisting(VERB, path, 'write', context)
    const match: MatchMode = context.match ?? 'tolerant'
    const located = locate(content, oldText, { match })
    if (located.kind === 'ambiguous') throw ambiguous(VERB, content, located)
    if (located.kind === 'found') return replaceAt(path, target, { content, oldText, newText }, located.place, context)
    const applied = alreadyApplied(content, oldText, newText, match)
    if (!applied) throw notFound(VERB, target, { content, oldText, newText, match }, context)
    return { path, alreadyApplied: true, ...linesAt(content, applied.start, content.slice(applied.start, applied.end)) }
  },
})

function replaceAt(
  path: string, target: ApprovedPath, texts: { content: string; oldText: string; newText: string }, place: Place,
  context: VerbContext,
): Result {
  const { content, oldText, newText } = texts
  checkInserted({ verb: VERB, parameter: 'new_text', path, content, removed: oldText, inserted: newText })
  const inserted = replacement(content, place, oldText, newText)
  const data = { path, match: place.tier, ...linesAt(content, place.start, inserted) }
  if (inserted === content.slice(place.start, place.end)) {
    context.advise?.('old_text and new_text are the same: nothing was changed.')
    return data
  }
  checkSize(VERB, path, content.length - (place.end - place.start) + inserted.length, context.limits.maxFileBytes)
  const written = writeText(VERB, path, target, splice(content, place, inserted), context)
  return { ...data, ...notesOf(written) }
}

function linesAt(content: string, start: number, passage: string): { startLine: number; endLine: number } {
  const startLine = countBreaks(content, 0, start) + 1
  const breaks = countBreaks(passage, 0, passage.length)
  return { startLine, endLine: startLine + breaks - (passage.endsWith('\n') || passage === '' ? 1 : 0) }
}

/**
 * Creates a file, with missing parent directories; an existing file must be empty. Its last line gets a line break.
 *
 * @throws HermesError `EEXIST` for a file with other content, and as `readText` and `writeText`
 */
function createFile(verb: string, path: string, lines: string, context: VerbContext) {
  const target = fileToWrite(verb, path, context)
  let content = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
  const stat = context.files.stat(target)
  if (stat?.kind === 'file' && stat.size > 0) {
    const old = readText(context.files, target, context.limits.maxFileBytes, path)
    if (old === content || old === lines) return { path, alreadyApplied: true }
    if (old.trim() !== '') throw exists(verb, path)
    if (old.startsWith(BOM) && !content.startsWith(BOM)) content = BOM + content
  }
  checkInserted({ verb, parameter: 'new_text', path, content: '', removed: '', inserted: content })
  const { written, createdDirs } = writeWithParents(verb, path, target, content, context)
  return { path, ...(written.created && { created: true as const }), ...parentsOf(createdDirs), ...notesOf(written) }
}

function exists(verb: string, path: string): HermesError {
  return new HermesError('EEXIST', `${verb}: old_text is empty, which creates a file, but '${path}' exists`, {
    hint: 'Nothing was written. Quote the lines to change in old_text, or replace the whole file with file_write.',
  })
}
