import { basename, join } from 'node:path'
import * as v from 'valibot'
import { defineVerb, described, flag, integer, text, titled, toolPath } from '../../../../0-contracts/src/index.js'
import { compilePattern, pathShower, Unreadable } from '../../../../2-files/src/index.js'
import { ENTRY_TYPES, entryType, requireDirectory } from '../directory-entries.js'
import { listTree } from '../list-tree.js'

const entry = titled('ListedEntry', {
  path: text('Its path: that of the listed directory as written, and what is below it.'),
  type: entryType,
  size: v.optional(integer('Size in bytes; of files only.', 0)),
})
const result = v.strictObject({
  path: text('The listed directory, as written.'),
  entries: described(v.array(entry), 'What is in it, sorted by name; each directory before what it holds.'),
  total: v.optional(integer('How many entries there are, where these are not all.', 0)),
  truncated: v.optional(described(v.boolean(), 'There are more after these.')),
  next_offset: v.optional(integer('The offset to go on with, where it is truncated.', 1)),
})
type Result = v.InferOutput<typeof result>

/** Seed 004 `list_directory` (FR-016 to FR-021). */
export const listDirectory = defineVerb({
  name: 'list_directory',
  vocabulary: 'core',
  description: 'List what is in a directory: the path and type of each entry, and the size of files. With '
    + 'recursive: true, what is in the directories below it too.',
  category: 'file_operations',
  version: '1.1.0',
  type: 'read',
  constraints: [
    'Files that git ignores are listed; .git, .hermes and what the policy denies are not.',
    'Links to directories are listed, not followed.',
    'max_depth counts only with recursive: true.',
    'Where there are more entries than limit, the result says how many, and the offset to go on with.',
  ],
  primary: 'path',
  seldom: ['max_depth', 'include_hidden', 'limit', 'offset'],
  args: v.strictObject({
    path: toolPath('Directory to list, absolute or relative to the root, e.g. "src", or "." for the root.'),
    recursive: flag('Whether to list the directories below it too. Default: false.', false),
    pattern: v.optional(text('Glob pattern of the entries to list: of their name (*.ts), or with a / of their path '
      + 'below the directory (src/**/*.ts). Default: all.')),
    max_depth: v.optional(
      integer('With recursive: how many levels to list; 1 is only what is directly in it. Default: all.', 1),
    ),
    include_hidden: flag('Whether to list names that begin with a dot, and look into such directories; otherwise only '
      + 'where the pattern names the dot. Default: false.', false),
    limit: v.optional(integer('Most entries to give. Default: 10,000. The user may have set a lower limit.', 1)),
    offset: v.optional(integer('How many entries to leave out first. Default: 0.', 0), 0),
  }),
  check: ({ pattern, include_hidden: hidden }) => void entryFilter('list_directory', pattern, hidden),
  result,
  examples: [
    { path: 'src' },
    { path: '.', recursive: true, pattern: '*.ts', max_depth: 3 },
  ],
  async handler(args, context) {
    const { path, recursive, pattern, max_depth: levels = Infinity, include_hidden: hidden, offset } = args
    const most = Math.min(args.limit ?? Infinity, context.limits.maxMatches)
    const { shows, enters } = entryFilter('list_directory', pattern, hidden)
    const directory = requireDirectory('list_directory', path, context)
    const unreadable = new Unreadable('list_directory')
    const shown = pathShower(context)
    const entries: Result['entries'] = []
    let total = 0
    const listed = listTree(directory, context, {
      maxDepth: recursive ? levels : 1,
      enters,
      onUnreadable: (relative, error) => unreadable.add(shown(join(path, relative)), error),
    })
    for await (const { relative, path: at } of listed) {
      if (!shows(relative)) continue
      const isWanted = total >= offset && entries.length < most
      const stat = isWanted ? context.files.lstat(at) : undefined
      if (isWanted && stat === undefined) continue
      total++
      if (stat === undefined) continue
      const { kind, size } = stat
      entries.push({ path: shown(join(path, relative)), type: ENTRY_TYPES[kind], ...(kind === 'file' && { size }) })
    }
    const data = page({ path, entries }, offset, total)
    unreadable.throwIfAny(data)
    if (data.total !== undefined) context.advise?.(pageHint(data, offset))
    return data
  },
})

/**
 * Which entries a listing shows and which directories it enters, by their path below the start.
 *
 * @param pattern glob pattern of names, or with a `/` of paths below the start
 * @param hidden whether names that begin with a dot are shown; without it a pattern must name the dot
 * @throws HermesError `INVALID_PARAMETER` for a pattern that cannot be used
 */
function entryFilter(
  verb: string, pattern: string | undefined, hidden: boolean,
): Record<'shows' | 'enters', (relative: string) => boolean> {
  const isPlain = (relative: string): boolean => hidden || !basename(relative).startsWith('.')
  if (pattern === undefined) return { shows: isPlain, enters: isPlain }
  const { matches, mayMatchBelow } = compilePattern(verb, 'pattern', pattern, { dot: hidden })
  // One that says what not to show names no dot.
  const isAllowed = /^(?:!!)*!(?!!)/.test(pattern) ? isPlain : () => true
  if (!pattern.includes('/')) return { shows: (at) => isAllowed(at) && matches(basename(at)), enters: isPlain }
  return {
    shows: (relative) => isAllowed(relative) && matches(relative),
    enters: (relative) => isAllowed(relative) && mayMatchBelow(relative),
  }
}

/** Says what there is besides, where the entries are not all. */
function page(data: Result, offset: number, total: number): Result {
  const next = offset + data.entries.length
  if (data.entries.length === total) return data
  return { ...data, total, ...(next < total && { truncated: true, next_offset: next }) }
}

function pageHint({ entries: { length }, total, next_offset: next }: Result, offset: number): string {
  if (length === 0) return `There are only ${total} entries.`
  const more = next === undefined ? '' : `; go on with offset: ${next}`
  return `These are ${offset + 1}-${offset + length} of ${total} entries${more}.`
}
