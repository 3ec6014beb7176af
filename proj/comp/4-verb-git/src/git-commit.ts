import { dirname } from 'node:path'
import * as v from 'valibot'
import {
  boundedText, defineVerb, described, flag, HermesError, text, texts, toolPath, unlessRefused, type VerbContext,
} from '../../0-contracts/src/index.js'
import { escapeControls, listed } from '../../0-text/src/index.js'
import { missingPath, pathError } from '../../2-files/src/index.js'
import { findWorkTree, type StatusEntry } from '../../2-git/src/index.js'
import { changesOfSession, sessionOfRun, type SessionChanges } from '../../3-transaction/src/index.js'
import { CommitRun } from './verb-commit.js'
import {
  everyTrackedChange, nothingToCommit, requireFinished, stagedChanges, type Selection,
} from './commit-selection.js'
import { approveOwn, openRepository, type OpenedRepository } from './open-repository.js'

/** Core tool: commits. */
export const gitCommit = defineVerb({
  name: 'git_commit',
  vocabulary: 'core',
  description: 'Commit: with files just these as they are now, with all every change of tracked files, else what this '
    + 'conversation changed and has not committed, or without one what is staged. Never pushes, never amends.',
  category: 'version_control',
  type: 'git',
  requires: { programs: ['git'] },
  constraints: [
    'With files, what else is staged stays staged and out of the commit.',
    'Hooks of the repository run, unless a verb may have written them; where one refuses, all stays as it was.',
    'Nothing outside the root is committed.',
    'Refused while a merge, rebase, pick or revert is not ended.',
  ],
  primary: 'message',
  args: v.strictObject({
    message: boundedText('The message, 1 to 500 characters; its first line is the subject.', { min: 1, max: 500 }),
    files: v.optional(described(
      v.array(toolPath('A new, changed or deleted file.')),
      'Files to commit as they are now, new and deleted ones too; no directories, and not with all.',
    )),
    all: flag('Commit all changes of tracked files; untracked files are left out. Default: false.', false),
  }),
  check({ message, files, all }) {
    const invalid = (problem: string, hint: string) => (
      new HermesError('INVALID_PARAMETER', `git_commit: ${problem}`, { hint })
    )
    if (message.trim() === '' || message.includes('\0')) {
      throw invalid('message must hold text, and no NUL characters', 'Say in one line what the commit does.')
    }
    if (files === undefined) return
    if (all) throw invalid('files and all cannot be given together', 'Give files, or all: true, or neither.')
    if (files.length === 0) throw invalid('files is empty', 'Name the files, or leave files out for what is staged.')
  },
  result: v.strictObject({
    hash: text('Full hash of the new commit.'),
    subject: text('First line of its message.'),
    files: texts('The files it changed, relative to the root.'),
    hooks_skipped: v.optional(described(v.literal(true), 'The hooks did not run: they lie in the work tree '
      + 'and are not as the user committed them, or the last change to them was committed by git_commit.')),
  }),
  examples: [
    { message: 'Explain the setup', files: ['README.md'] },
    { message: 'Mend the parser\n\nA comment at the end of a file is no error.', all: true },
  ],
  async handler({ message: written, files, all }, context) {
    // Git prints messages unescaped.
    const message = escapeControls(written.replaceAll(/\r\n?/g, '\n'), true)
    // Approve first: for the root itself, given as a file, the repository would be one above it.
    for (const file of files ?? []) approveOwn('git_commit', file, context)
    const repository = await openRepository('git_commit', files?.[0], context, 'file')
    const run = await CommitRun.open(repository, context)
    const entries = await run.status()
    requireFinished(entries, repository)
    if (files !== undefined) {
      const selection = await namedChanges(files, entries, repository, run, context)
      return run.commitOnly(message, selection, entries)
    }
    if (!all) {
      const own = await conversationChanges(context)
      if (own !== undefined) {
        const selection = await namedChanges(own.files, entries, repository, run, context)
        const made = await run.commitOnly(message, selection, entries)
        for (const line of own.told) context.advise?.(line)
        return made
      }
      stagedChanges(entries, repository)
      return run.commit(message, [])
    }
    return run.commitOnly(message, { changed: everyTrackedChange(entries, repository), added: [] }, entries)
  },
})

/** The changes that the calling conversation made and may commit; `undefined` outside of a conversation. */
async function conversationChanges(
  { session: { root }, runId, gate }: VerbContext,
): Promise<SessionChanges | undefined> {
  const session = sessionOfRun(root, runId)
  const changes = session === undefined ? undefined : await changesOfSession(root, session, { current: runId })
  if (!changes) return undefined
  const isApproved = (file: string): boolean => (
    unlessRefused(() => approveOwn('git_commit', file, { gate }) !== undefined, false)
  )
  const [files, denied] = [[] as string[], [] as string[]]
  for (const file of changes.files) (isApproved(file) ? files : denied).push(file)
  const told = denied.length === 0 ? changes.told : [...changes.told, `Not committed, since denied: ${listed(denied)}`]
  return files.length === 0 ? undefined : { files, told }
}

/**
 * The changes of the files that a call names.
 *
 * @throws HermesError for a file that is missing, a directory, ignored or in another repository, and
 * `NOTHING_TO_COMMIT` when none of them differs
 */
async function namedChanges(
  files: readonly string[], entries: readonly StatusEntry[], repository: OpenedRepository, run: CommitRun,
  context: VerbContext,
): Promise<Selection> {
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const changed = new Set<string>()
  const added = new Set<string>()
  let tracked: ReadonlySet<string> | undefined
  for (const file of files) {
    const target = approveOwn('git_commit', file, context)
    const path = repository.fromTop(target)
    const entry = path === undefined ? undefined : byPath.get(path)
    if (path !== undefined && entry !== undefined) {
      changed.add(path)
      if (entry.kind === 'untracked') added.add(path)
      continue
    }
    const stat = context.files.lstat(target)
    if (stat === undefined) throw missingPath('git_commit', file, target, context)
    tracked ??= await run.tracked()
    if (path !== undefined && tracked.has(path)) continue
    if (stat.kind === 'directory') {
      throw pathError('EISDIR', 'git_commit', file, 'Name the files in it one by one; git_status lists them.')
    }
    const { top } = await findWorkTree({ ...run.where, cwd: dirname(target) })
    if (top === repository.top) {
      throw new HermesError('INVALID_PARAMETER', `git_commit: the repository ignores '${file}'`, {
        hint: 'Leave it out, or change .gitignore first if it belongs in the repository.',
      })
    }
    const [first = ''] = files
    throw new HermesError('INVALID_PARAMETER', `git_commit: '${file}' is in another repository than '${first}'`, {
      hint: 'Commit the files of each repository in a call of its own.',
    })
  }
  if (changed.size === 0) throw nothingToCommit('the named files do not differ from the last commit', entries)
  return { changed: [...changed], added: [...added] }
}
