import type { PathPolicy } from '../../../../0-contracts/src/index.js'
import { join } from 'node:path'
import {
  isSameState, readRun, resolveStored, type PathStates, type RunBegin, type RunJournal, type RunRecord,
} from '../../journal/index.js'
import type { HookConsent } from '../../../../2-sandbox/src/index.js'
import { listed } from '../../../../0-text/src/index.js'
import { changedPaths } from '../changed-paths.js'
import { CommandChanges } from '../commands/command-changes.js'
import type { ChangedPath } from './commit-request.js'
import { commitRun, movedIn } from './commit-run.js'
import { leftOut, toldOfLeftOut } from './left-out.js'
import { noteHookChanges } from './hook-changes.js'
import { leftOutBefore } from './left-out-before.js'
import type { Repository } from '../repository.js'
import { startOf, type RunStart } from '../run-start.js'
import type { RunSummary } from '../run-summary.js'

/** A run after its last block. */
export interface EndedRun {
  options: {
    root: string
    runId: string
    kind?: RunBegin['kind']
    of?: string
    hooks?: HookConsent | undefined
    policy?: PathPolicy | undefined
  }
  states: PathStates
  journal: RunJournal
  commandsRan: boolean
  /** HEAD at its beginning. */
  head: string | undefined
  /** The run, or the one that it reverses, changed git's hooks or configuration: no hooks are run. */
  changedPrograms: boolean
  /** Receives remarks for the user. */
  warnings: string[]
}

/**
 * @returns full SHA; `undefined` where there was nothing to commit
 * @throws as `commitRun`
 */
export async function commitAfterRun(
  repository: Repository, summary: RunSummary, ended: EndedRun,
): Promise<string | undefined> {
  const { options: { root, runId, kind = 'run', of, hooks }, states, journal, commandsRan, warnings } = ended
  const changed = changedPaths(root, states, commandsRan)
  const run = commandsRan ? readRun(root, runId) : undefined
  const start = { ...(run && startOf(repository, root, run)), head: ended.head }
  const { clean: byCommands, made } = run ? await changedByCommands(repository, run, ended, { changed, start })
    : { clean: [], made: [] }
  if (changed.length === 0 && byCommands.length === 0) return undefined
  const isHookChanged = changed.some(({ path }) => path.startsWith(`${repository.hooksDirectory}/`))
  if (isHookChanged && !ended.changedPrograms) {
    warnings.push('The run changed hooks of git: no hook was run for its commit')
  }
  journal.record({ op: 'commit', at: Date.now() })
  const outcome = await commitRun(repository, {
    runId, kind, subject: summary.subject, body: summary.lines, changed, ...movedIn(root, states), byCommands,
    madeByCommands: new Set(made),
    start, journal: journal.directory, skipHooks: ended.changedPrograms || isHookChanged, hooks,
    ...(kind !== 'run' && { reversal: {
      uncommitted: new Set(summary.uncommitted?.map((path) => resolveStored(root, path))),
      leftOut: await leftOutBefore(repository, root, { of, runId }),
    } }),
  })
  warnings.push(...outcome.warnings)
  if (outcome.nested.length > 0) {
    warnings.push('Not committed, since it is in a repository of its own: '
      + listed(outcome.nested.map((path) => journal.stored(path))))
  }
  if (outcome.uncommitted) {
    warnings.push('Not committed, since git did not have it as it was: '
      + `${listed(outcome.uncommitted.map((path) => journal.stored(path)))}. Look at it, `
      + 'and commit it when it is as you want it')
  }
  const { commit } = outcome
  if (commit !== undefined) {
    warnings.push(...await noteHookChanges(repository, commit, { runId, journal, states, byCommands }))
  }
  return commit
}

/** Files that commands changed and that were clean before, except those left out; adds warnings for the others. */
async function changedByCommands(
  repository: Repository, run: RunRecord, { options: { root, policy, runId }, journal, warnings }: EndedRun,
  { changed, start: { commands, head } }: { changed: readonly ChangedPath[]; start: RunStart },
): Promise<{ clean: string[]; made: string[] }> {
  const byVerbs = new Set(changed.flatMap(({ path, before, after }) => {
    const name = repository.pathOf(path)
    // Where later verbs restored the previous content, the change is that of a command.
    return name === undefined || (isSameState(before, after) && commands?.early.has(name) !== true) ? [] : [name]
  }))
  const { clean, made, dirty } = await (await CommandChanges.read(run, runId)).clean(byVerbs)
  const shown = (name: string): string => journal.stored(join(repository.top, name))
  if (dirty.length > 0) {
    warnings.push(`Changed by a command, not committed since not clean before: ${listed(dirty.map(shown))}`)
  }
  const left = await leftOut(repository, made, { root, policy, head })
  warnings.push(...toldOfLeftOut(left, shown))
  return { clean: clean.filter((name) => !left.has(name)), made }
}
