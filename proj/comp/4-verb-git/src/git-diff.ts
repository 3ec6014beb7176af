import * as v from 'valibot'
import { defineVerb, described, flag, text, titled, toolPath } from '../../0-contracts/src/index.js'
import { gitReader } from '../../2-git/src/index.js'
import { missingPath } from '../../2-files/src/index.js'
import { changedFiles } from './changed-files.js'
import { requireCommitName, resolveCommit } from './commit-ref.js'
import { openRepository } from './open-repository.js'
import { READS_GIT } from './verb-kinds.js'

/** So that no configuration runs a program or changes the format. */
const FORM = [
  '--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '--find-renames',
  '--submodule=short', '--ignore-submodules=dirty',
]

const fileDiff = titled('GitFileDiff', {
  path: text('The file, relative to the root.'),
  added: v.pipe(v.number(), v.integer(), v.description('Lines added; 0 for binary files.')),
  removed: v.pipe(v.number(), v.integer(), v.description('Lines removed; 0 for binary files.')),
  binary: v.optional(described(v.literal(true), 'It is not text.')),
  old_path: v.optional(text('Where it was before it was renamed.')),
  conflicted: v.optional(described(
    v.literal(true), 'A merge left a conflict in it; without commit its lines are not counted.',
  )),
})

/** Core tool: shows a diff. */
export const gitDiff = defineVerb({
  ...READS_GIT,
  name: 'git_diff',
  description: 'Show what changed, as a unified diff: of the working files against what is staged; with staged: of '
    + 'what is staged against the last commit; with commit: against that commit. Untracked files are not part of it.',
  constraints: [
    'Only what is inside the root is shown.',
    'No program that the repository itself configures is run.',
    'Bytes that are not UTF-8 are shown as U+FFFD.',
    'Of a file in conflict both sides are shown (diff --cc), with its name from the top of the repository.',
  ],
  args: v.strictObject({
    path: v.optional(toolPath('File or directory to look at; it also tells which repository. Default: the root.')),
    staged: flag('Show staged changes instead of those not staged. Default: false.', false),
    commit: v.optional(text('Branch, tag or hash to compare with, for example main or HEAD~2.')),
  }),
  check({ commit }) {
    if (commit !== undefined) requireCommitName('git_diff', commit)
  },
  result: v.strictObject({
    diff: text('The unified diff; names in it begin at the root, or at the top of a repository below the root.'),
    truncated: v.optional(described(v.literal(true), 'The diff was too long: its end is missing.')),
    files: described(v.array(fileDiff), 'All files that differ.'),
  }),
  examples: [{}, { staged: true }, { path: 'src', commit: 'HEAD' }],
  async handler({ path, staged, commit }, context) {
    const repository = await openRepository('git_diff', path, context)
    const { limits, signal } = context
    const git = gitReader({
      verb: 'git_diff', cwd: repository.top, signal, timeoutMs: limits.commandTimeoutMs,
    })
    const what = [
      'diff', ...FORM, ...(repository.rootPrefix === '' ? ['--no-relative'] : [`--relative=${repository.rootPrefix}`]),
      ...(staged ? ['--cached'] : []),
      ...(commit === undefined ? [] : [await resolveCommit('git_diff', commit, git)]),
    ]
    const { files, denied } = await changedFiles(git, what, { isCounted: commit !== undefined && !staged }, repository)
    if (files.length === 0) {
      if (!repository.onDisk && path !== undefined) throw missingPath('git_diff', path, repository.scope, context)
      return { diff: '', files }
    }
    const { stdout, truncated } = await git.read(
      [...what, '--patch', '--unified=3', ...repository.limit, ...denied.map(one => `:(top,exclude,literal)${one}`)],
      { maxOutputBytes: limits.maxOutputBytes },
    )
    // A line is shown whole or not at all, unless it is the only one.
    const end = truncated ? stdout.lastIndexOf(10) + 1 || stdout.length : stdout.length
    return {
      diff: stdout.toString('utf8', 0, end),
      ...(truncated && { truncated: true as const }),
      files,
    }
  },
})
