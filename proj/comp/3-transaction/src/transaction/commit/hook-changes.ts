import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import {
  captureState, isSameState, readRun, resolveStored, type Operation, type PathStates, type RunJournal,
} from '../../journal/index.js'
import { readTree } from '../commands/git-entries.js'
import { withBefore } from '../undo/later-work.js'
import type { Repository } from '../repository.js'
import { compareTrees, type TreeChange, type TreeEntry } from '../commands/tree-snapshot.js'

/** Hooks of a commit that may change files, e.g. by formatters. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']

/** A run whose commit is made. */
interface CommittedRun {
  runId: string
  journal: RunJournal
  states: PathStates
  /** Paths relative to the top that were committed because commands changed them. */
  byCommands: readonly string[]
}

/**
 * Records in the journal what hooks made of the files of a commit, where commit and disk agree. It counts as the run's
 * result; otherwise undo would find the files changed since.
 *
 * @returns remarks for the user
 */
export async function noteHookChanges(repository: Repository, commit: string, run: CommittedRun): Promise<string[]> {
  if (!HOOKS.some((name) => existsSync(join(repository.hooksDirectory, name)))) return []
  try {
    const { runId, journal: { root } } = run
    const last = readRun(root, runId)?.operations.findLast((operation) => operation.op === 'snapshot')
    if (last?.op === 'snapshot') await noteInSnapshot(repository, commit, { ...run, last })
    else await noteInStates(repository, commit, run)
    return []
  } catch (error) {
    if (!(error instanceof HermesError) && !isNodeError(error)) throw error
    return [`What hooks of git changed could not be noted: an undo may find the files changed since (${error.message})`]
  }
}

/** For a run with commands, its result is recorded by a snapshot. */
async function noteInSnapshot(
  repository: Repository, commit: string,
  { runId, journal, states, byCommands, last }: CommittedRun & { last: Extract<Operation, { op: 'snapshot' }> },
): Promise<void> {
  const byVerbs = states.changed().flatMap(({ path }) => repository.pathOf(resolveStored(journal.root, path)) ?? [])
  const names = new Set([...byCommands, ...byVerbs])
  const changes: TreeChange[] = []
  for (const { path, after } of await compareTrees(repository, last.tree, commit)) {
    if (names.has(path) && after && await isOnDisk(repository, path, after)) changes.push({ path, before: after })
  }
  if (changes.length > 0) {
    journal.record({ ...last, tree: await withBefore(repository, runId, { tree: last.tree, changes }) })
  }
}

async function noteInStates(repository: Repository, commit: string, { journal, states }: CommittedRun): Promise<void> {
  const changed = states.changed().flatMap(({ path, after }) => {
    const absolute = resolveStored(journal.root, path)
    const name = repository.pathOf(absolute)
    return name === undefined || after.kind !== 'file' || isSameState(captureState(absolute), after) ? []
      : [{ path, absolute, after, name }]
  })
  const entries = await readTree(repository, commit, changed.map(({ name }) => name))
  for (const { path, absolute, after, name } of changed) {
    const entry = entries.get(name)
    if (entry && await isOnDisk(repository, name, entry)) {
      journal.record({ op: 'set', path, old: after, new: captureState(absolute, journal) })
    }
  }
}

async function isOnDisk(repository: Repository, name: string, { object }: TreeEntry): Promise<boolean> {
  if (captureState(join(repository.top, name)).kind !== 'file') return false
  const { exitCode, stdout } = await repository.try(['hash-object', `--path=${name}`, '--', join(repository.top, name)])
  return exitCode === 0 && stdout.toString('utf8').trim() === object
}
