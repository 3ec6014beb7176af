import * as v from 'valibot'
import { defineVerb, described, flag, HermesError, text, titled, toolPath } from '../../0-contracts/src/index.js'
import { escapeControls, nearest } from '../../0-text/src/index.js'
import { gitReader, nulFields, parseNumstat, type ChangedLines, type GitReader } from '../../2-git/src/index.js'
import { missingPath } from '../../2-files/src/index.js'
import { openRepository, type OpenedRepository } from './open-repository.js'
import { READS_GIT } from './verb-kinds.js'

/** Most denied files that can be excluded by name. */
const MAX_LEFT_OUT = 500

/** Most branches and tags searched for a similar name. */
const MAX_NAMES = 1000

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
      [...what, '--patch', '--unified=3', ...repository.limit, ...denied.map(name => `:(top,exclude,literal)${name}`)],
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

/**
 * The full hash of one commit.
 *
 * @param name a branch, tag, hash or expression such as `HEAD~2`, as a model wrote it
 * @throws HermesError `INVALID_PARAMETER` with the nearest branch or tag
 */
async function resolveCommit(verb: string, name: string, git: GitReader): Promise<string> {
  requireCommitName(verb, name)
  const object = await resolve(name, git)
  // In two steps: within `:/text`, everything that follows is part of the text.
  const commit = object === undefined ? undefined : await resolve(`${object}^{commit}`, git)
  if (commit !== undefined) return commit
  const names = await git.try(['for-each-ref', `--count=${MAX_NAMES}`, '--format=%(refname:short)'])
  throw unknownCommit(verb, name, nearest(name, names.stdout.toString('utf8').split('\n').filter(line => line !== '')))
}

/** @throws HermesError `INVALID_PARAMETER` for text that cannot name a commit */
function requireCommitName(verb: string, name: string): void {
  // With a leading dash it would be an option.
  if (name === '' || name.startsWith('-') || /[\0-\x1f\x7f]/.test(name)) throw unknownCommit(verb, name)
}

async function resolve(name: string, git: GitReader): Promise<string | undefined> {
  const { exitCode, stdout } = await git.try(['rev-parse', '--verify', '--quiet', name])
  const hash = stdout.toString('utf8').trim()
  return exitCode === 0 && /^[0-9a-f]{40,64}$/.test(hash) ? hash : undefined
}

function unknownCommit(verb: string, name: string, near?: string): HermesError {
  const meant = near === undefined ? '' : `Did you mean ${near}? `
  return new HermesError('INVALID_PARAMETER', `${verb}: unknown commit '${escapeControls(name)}'`, {
    hint: `${meant}Give one branch, tag or hash, for example main, v1.0 or HEAD~2; ranges (a..b) are not taken.`,
  })
}

/**
 * The files of a diff as results show them, and the names (from the top) of those that must not be shown.
 *
 * @param conflicts `isCounted`: the diff is of whole files, including those in conflict
 */
async function changedFiles(
  git: GitReader, what: readonly string[], conflicts: { isCounted: boolean }, repository: OpenedRepository,
) {
  const fromTop = (path: string) => repository.rootPrefix + path
  const conflicted = await conflictedFiles(git, repository)
  const counted = parseNumstat((await git.read([...what, '--numstat', '-z', ...repository.limit])).stdout)
  const uncounted = [...conflicted].map(path => ({ path, added: 0, removed: 0 }))
  // For files in conflict git prints lines of zeros, with names from the top.
  const isWhole = ({ path, added, removed }: ChangedLines) => (
    !conflicted.has(path) && !(added + removed === 0 && conflicted.has(withoutStart(path, repository.rootPrefix)))
  )
  const all: ChangedLines[] = conflicts.isCounted ? counted : [...counted.filter(isWhole), ...uncounted]
  const isShown = ({ path, oldPath = path }: ChangedLines) => (
    [path, oldPath].every(side => repository.allowed(fromTop(side)))
  )
  const denied = all.filter(changedLines => !isShown(changedLines))
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
    ...(conflicted.has(path) && { conflicted: true as const }),
  }))
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), denied }
}

/** Files left in conflict by a merge, named as in a diff's numbers. */
async function conflictedFiles(git: GitReader, { rootPrefix, limit }: OpenedRepository): Promise<ReadonlySet<string>> {
  const { stdout } = await git.read(['ls-files', '--full-name', '--unmerged', '-z', ...limit])
  const names = nulFields(stdout).map(entry => entry.slice(entry.indexOf('\t') + 1))
  return new Set(names.filter(name => name.startsWith(rootPrefix)).map(name => withoutStart(name, rootPrefix)))
}

function withoutStart(path: string, start: string): string {
  return path.startsWith(start) ? path.slice(start.length) : path
}
