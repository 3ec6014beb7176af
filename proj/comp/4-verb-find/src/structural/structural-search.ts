import * as v from 'valibot'
import { skippedFile } from '../symbols/or-skip.js'
import {
  defineVerb, described, integer, integerBetween, MOST_OFFSETS, text, texts, titled,
} from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import { LANGUAGES_IN_SHORT, lineStarts, placeIn } from '../../../2-syntax/src/index.js'
import { pathFilter } from '../called-path.js'
import { type MatchedFile, searchStructures, structuralRequest } from './structural-files.js'
import { readQuery, structuralArgs } from './structural-query.js'

const VERB = 'structural_search'
const MOST_RESULTS = 10_000
const MOST_OFFSET = MOST_OFFSETS.structural_search
/** Longest text shown of a match, and of a variable's value, in UTF-16 units. */
const LONGEST_TEXT = 1000
const LONGEST_CAPTURE = 200
const MOST_NAMED = 50

const match = titled('StructuralMatch', {
  path: text('The file, written as the path searched.'),
  line: integer('First line of the match, from 1.', 1),
  column: integer('Where in the line it begins, in UTF-16 units from 1.', 1),
  end_line: v.optional(integer('Its last line, where that is another.', 1)),
  text: text('The code, cut at 1,000 characters.'),
  captures: v.optional(described(v.record(v.string(), v.string()), 'What each $NAME and $$$NAME stands for, by NAME; '
    + 'cut at 200 characters.')),
})

/** Finds code by its structure, with ast-grep's engine. */
export const structuralSearch = defineVerb({
  name: VERB,
  vocabulary: 'clada',
  description: 'Find code by its structure, as ast-grep does: pattern is code in which $NAME stands for any one part '
    + 'and $$$NAME for several, e.g. console.log($$$ARGS). White space, comments and line breaks do not count. What '
    + '.gitignore excludes and dependencies are left out.',
  category: 'search',
  type: 'read',
  constraints: [
    `Languages: ${LANGUAGES_IN_SHORT}. A file of over 1,048,576 characters is not parsed.`,
    'Links, .git, .hermes and what the policy denies are passed over.',
  ],
  primary: 'pattern',
  args: v.strictObject({
    ...structuralArgs,
    max_results: v.optional(
      integerBetween('Most matches to return. Default: 100. The user may have set fewer.', 1, MOST_RESULTS), 100,
    ),
    offset: v.optional(
      integerBetween('Matches to leave out first: next_offset of the last call. Default: 0.', 0, MOST_OFFSET), 0,
    ),
  }),
  check(args) {
    readQuery(VERB, args)
    pathFilter(VERB, 'include', args.include)
  },
  result: v.strictObject({
    matches: described(v.array(match), 'By path and place; one may be inside another.'),
    files_searched: integer('How many source files were looked at.', 0),
    truncated: described(v.boolean(), 'Whether there are more matches than are returned.'),
    next_offset: v.optional(integer('The offset to go on with, where there are more.', 1)),
    broken: v.optional(texts('Files with a part that is no code of their language: near it a match may be missing.')),
    skipped: v.optional(described(v.array(skippedFile), 'What could not be searched.')),
  }),
  examples: [
    { pattern: 'console.log($$$ARGS)' },
    { pattern: 'if ($A == null) { $$$BODY }', language: 'typescript', path: 'src', max_results: 20 },
    { rule: 'pattern: await $CALL\ninside: {kind: for_statement, stopBy: end}', include: '*.ts' },
  ],
  async handler(args, context) {
    const request = structuralRequest(VERB, args, context)
    const { offset } = args
    const end = offset + Math.min(args.max_results, context.limits.maxMatches)
    const matches: v.InferOutput<typeof match>[] = []
    let count = 0
    // One more than wanted shows that there are more.
    const notes = await searchStructures(request, context, end + 1, (file) => {
      const from = Math.max(0, offset - count)
      matches.push(...shownMatches(file, from, Math.max(from, end - count)))
      count += file.matches.length
      return count <= end
    })
    const truncated = count > end
    if (truncated) {
      context.advise?.(end <= MOST_OFFSET
        ? `There are more matches; go on with offset: ${end}.`
        : 'There are more matches; write a narrower path, include or pattern for them.')
    }
    return {
      matches,
      files_searched: notes.searched,
      truncated,
      ...(truncated && end <= MOST_OFFSET && { next_offset: end }),
      ...(notes.broken.length > 0 && { broken: notes.broken.slice(0, MOST_NAMED) }),
      ...(notes.skipped.length > 0 && { skipped: notes.skipped.slice(0, MOST_NAMED) }),
    }
  },
})

function shownMatches(
  { shown, content, matches }: MatchedFile, from: number, to: number,
): v.InferOutput<typeof match>[] {
  const starts = lineStarts(content)
  // A byte order mark is no part of the first line.
  if (content.startsWith('\ufeff')) starts[0] = 1
  return matches.slice(from, to).map(({ span: [start, end], captures }) => {
    const { line, column } = placeIn(starts, start)
    // A match that ends with a line break does not extend into the next line.
    const last = placeIn(starts, Math.max(start, end - 1)).line
    return {
      path: shown, line, column, ...(last !== line && { end_line: last }),
      text: clip(content.slice(start, end), LONGEST_TEXT),
      ...(captures.length > 0 && {
        captures: Object.fromEntries(captures.map(([name, first, behind]) => (
          [name, clip(content.slice(first, behind), LONGEST_CAPTURE)]
        ))),
      }),
    }
  })
}
