import * as v from 'valibot'
import {
  defineVerb, described, HermesError, integer, path as pathOf, text, type VerbContext,
} from '../../../0-contracts/src/index.js'
import {
  checkInserted, linesOf, locate, type MatchMode, MATCH_TIERS, shiftLine, splitLines,
} from '../../../1-edits/src/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { notesOf, readExisting, writeNotes, writeText } from '../../../2-files/src/index.js'
import { withLines } from './draft.js'
import { ambiguous, anchorNotFound } from './edit-failures.js'
import { EDIT } from './edit-verb.js'
import { shiftedBeside } from './indent.js'

const VERB = 'file_insert'

const result = v.strictObject({
  path: text('The file, as written.'),
  match: v.optional(described(v.picklist(MATCH_TIERS), 'How the anchor was found: byte for byte, or by which '
    + 'tolerance.')),
  startLine: integer('First of the new lines, as the file is now.', 1),
  endLine: integer('The last of them.', 1),
  alreadyApplied: v.optional(described(v.literal(true), 'The new text stood beside the anchor already; nothing was '
    + 'written.')),
  ...writeNotes,
})
type Result = v.InferOutput<typeof result>

/** Inserts lines into a file, by line number or beside lines that it quotes. */
export const fileInsert = defineVerb({
  ...EDIT,
  name: VERB,
  description: 'Insert lines into a file: before the line of a number, or before or after lines of the file that are '
    + 'quoted. One more than the file has lines appends. Quoted lines must stand in exactly one place, as old_text of '
    + 'edit_replace must; what is inserted is shifted as they are. Nothing is inserted twice beside the same lines.',
  constraints: [
    'Exactly one of line, before and after.',
    'New lines end as those around them. The file must exist.',
  ],
  primary: 'path',
  onlyFile: 'path',
  args: v.strictObject({
    path: pathOf('File to change, absolute or relative to the root.'),
    line: v.optional(integer('The line to insert before; the first of the file is 1.', 1)),
    before: v.optional(text('Whole lines of the file to insert before.')),
    after: v.optional(text('Whole lines of the file to insert after.')),
    new_text: text('The lines to insert.'),
  }),
  result,
  examples: [
    { path: 'src/config.ts', line: 1, new_text: '// Settings.\n' },
    { path: 'src/config.ts', after: '  debug: true,\n', new_text: '  verbose: false,\n' },
  ],
  handler({ path, line, before, after, new_text: newText }, context) {
    const given = { line, before, after }
    const side = sideOf(given)
    if (newText === '') {
      throw new HermesError('INVALID_PARAMETER', `${VERB}: new_text cannot be empty`, {
        hint: 'Write the lines to insert. An empty line is text, too: "\\n".',
      })
    }
    if (side === 'line') return insertAt(path, line ?? 1, newText, context)
    return insertBy(path, { side, anchor: given[side] ?? '' }, newText, context)
  },
})

function sideOf(given: { line?: number | undefined; before?: string | undefined; after?: string | undefined }) {
  const [side, ...others] = (['line', 'before', 'after'] as const).filter((name) => given[name] !== undefined)
  if (side === undefined || others.length > 0) {
    const what = side === undefined
      ? 'one of line, before and after is needed'
      : `${side} and ${others[0]} exclude each other`
    throw new HermesError('INVALID_PARAMETER', `${VERB}: ${what}`, {
      hint: 'Say where by one of them: line (a number), or before or after (whole lines of the file, quoted).',
    })
  }
  if (side !== 'line' && given[side]?.trim() === '') {
    throw new HermesError('INVALID_PARAMETER', `${VERB}: ${side} cannot be blank`, {
      hint: 'Quote lines of the file that stand in one place only, or give the number of a line in line.',
    })
  }
  return side
}

function insertAt(path: string, line: number, newText: string, context: VerbContext): Result {
  const { target, content } = readExisting(VERB, path, 'write', context)
  const { length } = splitLines(content).lines
  if (line > length + 1) {
    throw new HermesError('RANGE_INVALID', `${VERB}: line ${line} is outside the file`, {
      hint: `It has ${length} ${length === 1 ? 'line' : 'lines'}; line: ${length + 1} appends.`,
    })
  }
  checkInserted({ verb: VERB, parameter: 'new_text', path, content, removed: '', inserted: newText })
  const lines = linesOf(newText).map(({ body }) => body)
  const changed = withLines(content, { first: line, last: line - 1 }, lines)
  const written = writeText(VERB, path, target, changed, context)
  return { path, startLine: line, endLine: line + lines.length - 1, ...notesOf(written) }
}

function insertBy(
  path: string, { side, anchor }: { side: 'before' | 'after'; anchor: string }, newText: string, context: VerbContext,
): Result {
  const { target, content } = readExisting(VERB, path, 'write', context)
  const match: MatchMode = context.match ?? 'tolerant'
  const located = locate(content, anchor, { match })
  if (located.kind === 'ambiguous') throw ambiguous(VERB, content, located, side)
  if (located.kind === 'missing') throw anchorNotFound(VERB, target, { content, anchor, parameter: side }, context)
  checkInserted({ verb: VERB, parameter: 'new_text', path, content, removed: '', inserted: newText })
  const { start, end, tier, shift } = located.place
  const written = linesOf(newText).map(({ body }) => body)
  const first = countBreaks(content, 0, start) + 1
  const anchored = linesOf(content.slice(start, end)).map(({ body }) => body)
  const next = first + anchored.length
  const below = side === 'after' ? filledFrom(content, end) : undefined
  const lines = shift.added === ''
    ? written.map((line) => shiftLine(line, shift))
    : shiftedBeside(written, anchored, shift.added, below)
  const startLine = side === 'before' ? first : next
  const there = side === 'before' ? first - lines.length : next
  if (areThere(content, there, lines)) {
    return { path, match: tier, startLine: there, endLine: there + lines.length - 1, alreadyApplied: true }
  }
  const changed = withLines(content, { first: startLine, last: startLine - 1 }, lines)
  const outcome = writeText(VERB, path, target, changed, context)
  return { path, match: tier, startLine, endLine: startLine + lines.length - 1, ...notesOf(outcome) }
}

/** The first non-blank line from an offset; empty where there is none. */
function filledFrom(content: string, offset: number): string {
  return /^[^\S\n]*\S[^\n]*/m.exec(content.slice(offset))?.[0] ?? ''
}

/**
 * Whether the lines are in the file already. Lines without a letter or digit, such as blank ones, may well be wanted
 * twice, so they never count.
 */
function areThere(content: string, first: number, lines: readonly string[]): boolean {
  if (first < 1 || !lines.some((line) => /[\p{L}\p{N}]/u.test(line))) return false
  const old = splitLines(content).lines.slice(first - 1, first - 1 + lines.length)
  return old.length === lines.length && old.every((line, index) => line.replace(/\r?\n$/, '') === lines[index])
}
