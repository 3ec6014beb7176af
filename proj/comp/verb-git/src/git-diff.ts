import * as v from 'valibot'
import { defineVerb, flag, HermesError, text, toolPath } from '../../contracts/src/index.js'
import { gitReader, parseNumstat, type ChangedLines, type GitReader } from '../../git/src/index.js'
import { missingPath } from '../../verb-paths/src/index.js'
import { resolveCommit } from './commit-ref.js'
import { openRepository, type OpenedRepository } from './open-repository.js'

/** Most denied files that can be left out by name. */
const MAX_LEFT_OUT = 500

/** Nothing of a configuration may run a program or change the form. */
const FORM = [
  '--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '--unified=3', '--find-renames',
  '--submodule=short', '--ignore-submodules=dirty',
]

const fileDiff = v.pipe(v.strictObject({
  path: text('The file, relative to the root.'),
  added: v.pipe(v.number(), v.integer(), v.description('Lines added; 0 for binary files.')),
  removed: v.pipe(v.number(), v.integer(), v.description('Lines removed; 0 for binary files.')),
  binary: v.optional(v.pipe(v.literal(true), v.description('It is not text.'))),
  old_path: v.optional(text('Where it was before it was renamed.')),
}), v.title('GitFileDiff'))

/** Core tool `git_diff`, seed 004 FR-068 to FR-071. */
export const gitDiff = defineVerb({
  name: 'git_diff',
  vocabulary: 'core',
  description: 'Show what changed, as a unified diff: of the working files against what is staged; with staged: of '
    + 'what is staged against the last commit; with commit: against that commit. Untracked files are not part of it.',
  category: 'version_control',
  version: '1.0.0',
  type: 'read',
  accessibility: ['llm'],
  constraints: [
    'Only what is inside the root is shown, also where the repository begins above it.',
    'No program that the repository itself configures is run.',
    'Bytes that are not UTF-8 are shown as U+FFFD.',
  ],
  primary: 'path',
  args: v.strictObject({
    path: v.optional(toolPath('File or directory to look at; it also tells which repository. Default: the root.')),
    staged: flag('Show staged changes instead of those not staged. Default: false.', false),
    commit: v.optional(text('Branch, tag or hash to compare with, for example main or HEAD~2.')),
  }),
  result: v.strictObject({
    diff: text('The unified diff; names in it begin at the root, or at the top of a repository below the root.'),
    truncated: v.optional(v.pipe(v.literal(true), v.description('The diff was too long: its end is missing.'))),
    files: v.pipe(v.array(fileDiff), v.description('All files that differ.')),
  }),
  examples: [{}, { staged: true }, { path: 'src', commit: 'HEAD' }],
  async handler({ path, staged, commit }, context) {
    const repository = await openRepository('git_diff', path, context)
    const { limits, signal } = context
    const git = await gitReader({
      verb: 'git_diff', cwd: repository.top, signal, timeoutMs: limits.commandTimeoutMs,
    })
    const what = [
      'diff', ...FORM, ...(repository.rootPrefix === '' ? ['--no-relative'] : [`--relative=${repository.rootPrefix}`]),
      ...(staged ? ['--cached'] : []),
      ...(commit === undefined ? [] : [await resolveCommit('git_diff', commit, git)]),
    ]
    const { files, denied } = await changedFiles(git, what, repository)
    if (files.length === 0) {
      if (!repository.onDisk && path !== undefined) throw missingPath('git_diff', path, repository.scope, context)
      return { diff: '', files }
    }
    const { stdout, truncated } = await git.read(
      [...what, '--patch', ...repository.limit, ...denied.map(one => `:(top,exclude,literal)${one}`)],
      { maxOutputBytes: limits.maxOutputBytes },
    )
    // A line is shown whole or not at all; it may be the only one.
    const end = truncated ? stdout.lastIndexOf(10) + 1 || stdout.length : stdout.length
    return {
      diff: stdout.toString('utf8', 0, end),
      ...(truncated && { truncated: true as const }),
      files,
    }
  },
})

/** The files of a diff as results show them, and the names from the top of those that must not be shown. */
async function changedFiles(git: GitReader, what: readonly string[], repository: OpenedRepository) {
  const { stdout } = await git.read([...what, '--numstat', '-z', ...repository.limit])
  const fromTop = (path: string) => repository.rootPrefix + path
  const isShown = ({ path, oldPath = path }: ChangedLines) => (
    [path, oldPath].every(one => repository.allowed(fromTop(one)))
  )
  const all = parseNumstat(stdout)
  const denied = all.filter(one => !isShown(one))
    .flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])).map(fromTop)
  if (denied.length > MAX_LEFT_OUT) {
    throw new HermesError('POLICY_DENIED', 'git_diff: too many of the changed files are denied', {
      hint: 'Give the path of one file, or of a directory with fewer changes.',
    })
  }
  const files = all.filter(isShown).map(({ path, oldPath, added, removed, binary }) => ({
    path: repository.shown(fromTop(path)),
    added,
    removed,
    ...(binary && { binary }),
    ...(oldPath !== undefined && { old_path: repository.shown(fromTop(oldPath)) }),
  }))
  return { files, denied }
}
