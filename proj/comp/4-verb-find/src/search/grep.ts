import { basename, join } from 'node:path'
import * as v from 'valibot'
import {
  absolutePath, type ApprovedPath, defineVerb, HermesError, integer, isNodeError, text, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { checkSignal, pathShower, Unreadable, walk, wasReplaced } from '../../../2-files/src/index.js'
import { type CalledPath, calledPath, pathFilter } from '../called-path.js'
import { filePieces } from './file-pieces.js'
import { type LineMatch, LineSearch } from './line-search.js'

const result = v.array(v.strictObject({
  file: text('The file, beginning with path as written.'),
  line_number: integer('1-based number of the line.', 1),
  line: text('The line without its line break; cut around the match when it is long.'),
}))

/** Finds lines with a text; data `[{file, line_number, line}]`. */
export const grep = defineVerb({
  name: 'grep',
  vocabulary: 'clada',
  description: 'Find the lines that hold a text, in a file or in all files below a directory. The text is compared '
    + 'as it is: no regular expressions, case matters.',
  category: 'search',
  type: 'read',
  constraints: [
    'Lines over 2,000 characters are cut around the match.',
    'Binary files are passed over; links are not followed.',
    '.git, .hermes and what the policy denies are passed over.',
  ],
  primary: 'path',
  args: v.strictObject({
    pattern: text('Text to find, within one line.'),
    path: absolutePath('File or directory to search.'),
    include: v.optional(text('Glob pattern of the names of files (*.ts), or with a / of their paths below the '
      + 'directory (src/**/*.ts).')),
  }),
  check({ pattern, include }) {
    if (pattern === '') {
      throw new HermesError('INVALID_PARAMETER', 'grep: pattern cannot be empty', {
        hint: 'file_read reads a whole file.',
      })
    }
    if (pattern.includes('\n')) {
      throw new HermesError('INVALID_PARAMETER', 'grep: pattern must be within one line', {
        hint: 'Search for one of its lines.',
      })
    }
    pathFilter('grep', 'include', include)
  },
  result,
  examples: [{ pattern: 'TODO', path: '/workspace/src', include: '*.ts' }],
  async handler({ pattern, path, include }, context) {
    const included = pathFilter('grep', 'include', include)
    const called = calledPath('grep', path, context)
    const matches: v.InferOutput<typeof result> = []
    const unreadable = new Unreadable('grep')
    const inForm = pathShower(context)
    for await (const { target, shown, relative } of filesOf(called, path, context, unreadable)) {
      if (!included(relative)) continue
      try {
        // One more than allowed shows that there are more.
        const room = context.limits.maxMatches - matches.length + 1
        for (const { number, text: line } of await searchFile(target, pattern, room, context)) {
          matches.push({ file: inForm(shown), line_number: number, line })
        }
      } catch (error) {
        // A file replaced or removed meanwhile has no matches; but the file named in the call must be reported.
        if (target !== called.start && wasReplaced(error)) continue
        if (!isNodeError(error)) throw error
        if (error.code !== 'ENOENT') unreadable.add(inForm(shown), error)
      }
      if (matches.length > context.limits.maxMatches) throw tooMany(matches.slice(0, -1))
    }
    unreadable.throwIfAny(matches)
    return matches
  },
})

/**
 * The lines of a file that hold `pattern`, at most `most` of them; none of a binary file, which is one with a NUL
 * byte in what was read of it.
 *
 * @throws HermesError `CANCELLED`; Node's errors
 */
async function searchFile(
  file: ApprovedPath, pattern: string, most: number, { files, signal }: Pick<VerbContext, 'files' | 'signal'>,
): Promise<LineMatch[]> {
  const matches: LineMatch[] = []
  const search = new LineSearch(pattern, (match) => {
    if (matches.length < most) matches.push(match)
  })
  for await (const piece of filePieces(file, files)) {
    checkSignal(signal)
    if (piece.includes(0)) return []
    search.push(piece)
    if (matches.length >= most) return matches
  }
  search.end()
  return matches
}

async function* filesOf(
  { start, kind }: CalledPath, path: string, context: VerbContext, unreadable: Unreadable,
): AsyncGenerator<{ target: ApprovedPath; shown: string; relative: string }> {
  if (kind === 'file') {
    yield { target: start, shown: path, relative: basename(path) }
    return
  }
  const inForm = pathShower(context)
  const walked = walk(start, context, {
    odd: true, onUnreadable: (relative, error) => unreadable.add(inForm(join(path, relative)), error),
  })
  for await (const { path: target, relative } of walked) yield { target, shown: join(path, relative), relative }
}

function tooMany(matches: v.InferOutput<typeof result>): HermesError {
  return new HermesError('OUTPUT_LIMIT', `grep: more than ${matches.length} lines match`, {
    hint: `The data holds the first ${matches.length}. For the others write a longer pattern, or a narrower path or `
      + 'include.',
    data: matches,
  })
}
