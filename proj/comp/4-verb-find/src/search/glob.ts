import { join } from 'node:path'
import * as v from 'valibot'
import { absolutePath, defineVerb, HermesError, text, texts } from '../../../0-contracts/src/index.js'
import {
  approvePath, compilePattern, missingPath, pathError, pathShower, Unreadable, walk,
} from '../../../2-files/src/index.js'

/** Finds files by pattern; data `[path]`, sorted. */
export const glob = defineVerb({
  name: 'glob',
  vocabulary: 'clada',
  description: 'Find files by a pattern on their path below base_path: * within a name, ** across directories, ?, '
    + '[abc], {a,b}. Returns the paths, sorted. Names that begin with a dot match only when the pattern names the dot.',
  category: 'search',
  type: 'read',
  constraints: [
    'Files only; links to directories are not followed.',
    '.git, .hermes and what the policy denies are passed over.',
  ],
  primary: 'pattern',
  args: v.strictObject({
    pattern: text('Pattern of the paths below base_path, e.g. "src/**/*.ts".'),
    base_path: absolutePath('Directory to search.'),
  }),
  check: ({ pattern }) => void compilePattern('glob', 'pattern', pattern, { dot: false }),
  result: texts('The files found, beginning with base_path as written, sorted.'),
  examples: [{ pattern: '**/*.{ts,tsx}', base_path: '/workspace' }],
  async handler({ pattern, base_path }, context) {
    const matcher = compilePattern('glob', 'pattern', pattern, { dot: false })
    const base = approvePath(context.gate, 'glob', base_path, 'read')
    const stat = context.files.stat(base)
    if (stat === undefined) throw missingPath('glob', base_path, base, context)
    if (stat.kind !== 'directory') {
      throw pathError('ENOTDIR', 'glob', base_path, 'Write the directory to search as base_path.')
    }
    const unreadable = new Unreadable('glob')
    const shown = pathShower(context)
    const paths: string[] = []
    const files = walk(base, context, {
      enters: (relative) => matcher.mayMatchBelow(relative),
      links: true,
      odd: true,
      access: 'list',
      onUnreadable: (relative, error) => unreadable.add(shown(join(base_path, relative)), error),
    })
    for await (const { relative } of files) {
      if (!matcher.matches(relative)) continue
      if (paths.length === context.limits.maxMatches) {
        throw new HermesError('OUTPUT_LIMIT', `glob: more than ${paths.length} paths match`, {
          hint: `The data holds the first ${paths.length}. Write a narrower pattern or base_path for the others.`,
          data: paths,
        })
      }
      paths.push(shown(join(base_path, relative)))
    }
    unreadable.throwIfAny(paths)
    return paths
  },
})
