import * as v from 'valibot'
import {
  defineVerb, described, HermesError, text, texts, titled, toolPath, type VerbContext,
} from '../../0-contracts/src/index.js'
import {
  gitReader, OPERATION_NAMES, operationInProgress, parseStatus, type GitReader, type StatusEntry,
} from '../../2-git/src/index.js'
import { missingPath } from '../../2-files/src/index.js'
import { openRepository, type OpenedRepository } from './open-repository.js'
import { READS_GIT } from './verb-kinds.js'

/** What each letter of git means. */
const CHANGES = {
  M: 'modified', A: 'added', D: 'deleted', R: 'renamed', C: 'copied', T: 'type_changed',
} as const
const CONFLICTS = {
  DD: 'both_deleted', AU: 'added_by_us', UD: 'deleted_by_them', UA: 'added_by_them', DU: 'deleted_by_us',
  AA: 'both_added', UU: 'both_modified',
} as const

const changedFile = titled('GitChangedFile', {
  path: text('The file, relative to the root.'),
  status: described(v.picklist(Object.values(CHANGES)), 'What happened to it.'),
  old_path: v.optional(text('Where it was before it was renamed or copied.')),
})

const conflictedFile = titled('GitConflictedFile', {
  path: text('The file, relative to the root.'),
  status: described(v.picklist(Object.values(CONFLICTS)), 'What the two sides did to it.'),
})

const result = v.strictObject({
  branch: described(v.nullable(v.string()), 'Name of the branch; null when HEAD is detached.'),
  head: described(v.nullable(v.string()), 'Full hash of the last commit; null before the first one.'),
  upstream: v.optional(text('Branch this one follows, for example origin/main.')),
  ahead: v.optional(v.pipe(v.number(), v.integer(), v.description('Commits the upstream does not have.'))),
  behind: v.optional(v.pipe(v.number(), v.integer(), v.description('Commits of the upstream that are not here.'))),
  operation: v.optional(
    described(v.picklist(OPERATION_NAMES), 'Operation that was begun and not ended, for example merge.'),
  ),
  staged: described(v.array(changedFile), 'Changes the next commit would hold.'),
  unstaged: described(v.array(changedFile), 'Changes of tracked files that are not staged.'),
  untracked: texts('Files git does not know, relative to the root; a directory ends with / (a repository of its own, '
    + 'or one of very many files).'),
  conflicted: described(v.array(conflictedFile), 'Files with conflicts that are not resolved.'),
  clean: described(v.boolean(), 'True when all four lists are empty.'),
})

/** Core tool: shows the state of the repository. */
export const gitStatus = defineVerb({
  ...READS_GIT,
  name: 'git_status',
  description: 'Show the state of the git repository: branch, staged and unstaged changes, untracked files and '
    + 'conflicts. Ignored files are left out.',
  constraints: [
    'Only what is inside the root is shown, also where the repository begins above it.',
    'Changes inside submodules are not looked for, only whether another commit is checked out in one.',
    'No program that the repository itself configures is run.',
  ],
  args: v.strictObject({
    path: v.optional(toolPath('File or directory to look at; it also tells which repository. Default: the root.')),
  }),
  result,
  examples: [{}, { path: 'src' }],
  async handler({ path }, context) {
    const repository = await openRepository('git_status', path, context)
    const git = gitReader({
      verb: 'git_status', cwd: repository.top, signal: context.signal, timeoutMs: context.limits.commandTimeoutMs,
    })
    const { branch, entries } = await readStatus(git, repository, context)
    if (entries.length === 0 && !repository.onDisk && path !== undefined) {
      throw missingPath('git_status', path, repository.scope, context)
    }
    const operation = operationInProgress(repository.gitDirectory)
    const { branch: name, head, ...upstream } = branch
    const status = {
      branch: name,
      head,
      ...upstream,
      ...(operation !== undefined && { operation }),
      ...sorted(entries.slice(0, context.limits.maxMatches), repository),
    }
    if (entries.length > context.limits.maxMatches) throw tooMany(status, context)
    return status
  },
})

/** Reads every untracked file, or where these are too many, only their directories. */
async function readStatus(git: GitReader, repository: OpenedRepository, { limits }: VerbContext) {
  for (const untracked of ['all', 'normal']) {
    const output = await git.read([
      'status', '--porcelain=v2', '-z', '--branch', '--find-renames', `--untracked-files=${untracked}`,
      '--ignore-submodules=dirty', ...repository.limit,
    ])
    const { branch, entries } = parseStatus(output.stdout)
    const allowed = entries.filter(entry => repository.allowed(entry.path))
    if (untracked === 'normal' || (!output.truncated && allowed.length <= limits.maxMatches)) {
      return { branch, entries: allowed }
    }
  }
  throw new HermesError('INTERNAL', 'git_status: no status was read')
}

function sorted(entries: readonly StatusEntry[], { shown }: OpenedRepository) {
  const changed = entries.filter(({ kind }) => kind === 'changed')
  return {
    staged: changed.flatMap(entry => change(entry, entry.index, shown)),
    unstaged: changed.flatMap(entry => change(entry, entry.workTree, shown)),
    untracked: entries.filter(({ kind }) => kind === 'untracked').map(({ path }) => shown(path)),
    conflicted: entries.filter(({ kind }) => kind === 'conflicted')
      .map(({ path, index, workTree }) => (
        { path: shown(path), status: wordFor(index + workTree, CONFLICTS) ?? 'both_modified' }
      )),
    clean: entries.length === 0,
  }
}

function change(
  { path, oldPath }: StatusEntry, letter: string, shown: OpenedRepository['shown'],
): v.InferOutput<typeof changedFile>[] {
  const status = wordFor(letter, CHANGES)
  if (status === undefined) return []
  const moved = status === 'renamed' || status === 'copied'
  return [{ path: shown(path), status, ...(moved && oldPath !== undefined && { old_path: shown(oldPath) }) }]
}

function wordFor<Words extends object>(letters: string, words: Words): Words[keyof Words] | undefined {
  return Object.hasOwn(words, letters) ? words[letters as keyof Words] : undefined
}

function tooMany(data: object, { limits }: VerbContext): HermesError {
  return new HermesError('OUTPUT_LIMIT', `git_status: more than ${limits.maxMatches} files differ`, {
    hint: `The data holds the first ${limits.maxMatches}. Give a narrower path, or name generated files in .gitignore.`,
    data,
  })
}
