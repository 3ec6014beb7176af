import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isSameState, readRun, resolveStored, statesOf } from '../../journal/index.js'
import { parseStatus } from '../../../../2-git/src/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { findRepository } from '../repository.js'
import { createRunId } from '../run-id.js'
import { sessionOf, unitsOf } from '../undo/run-units.js'
import { leftOut, toldOfLeftOut } from './left-out.js'

/** Changes of a session's runs that are in force and not committed yet. */
export interface SessionChanges {
  /** Files to commit; relative to the root if below it, else absolute. */
  files: string[]
  /** What should not be committed without asking, and why: one line for each reason. */
  told: string[]
}

/** The session of a run; `undefined` for none. */
export function sessionOfRun(root: string, runId: string): string | undefined {
  const unit = readRun(root, runId)?.begin.unit
  return unit === undefined ? undefined : sessionOf(unit)
}

/**
 * The changes of a session for one commit. Of changes by commands, it leaves out the same as the commit of a run, and
 * files that were not clean before.
 *
 * @param units only these units; default: the whole session
 * @param current a run of it that has not ended
 * @returns `undefined` outside a work tree
 */
export async function changesOfSession(
  given: string, session: string, { units, current }: { units?: readonly string[]; current?: string } = {},
): Promise<SessionChanges | undefined> {
  // With links resolved, as git names its work trees.
  const root = realpathSync.native(given)
  const repository = await findRepository(root)
  if (!repository) return undefined
  const wanted = unitsOf(root, session).filter(({ unit }) => units?.includes(unit) ?? true)
  const [names, made, dirty] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const id of [...wanted.flatMap(({ runIds }) => runIds), ...(current === undefined ? [] : [current])]) {
    const run = readRun(root, id)
    if (!run) continue
    for (const { path, before, after } of statesOf(run).changedByName()) {
      const name = repository.pathOf(resolveStored(root, path))
      if (name !== undefined && !isSameState(before, after)) names.add(name)
    }
    // The current run has not recorded yet what its commands did.
    if (id === current) continue
    const paths = await (await CommandChanges.read(run, createRunId())).clean(new Set())
    for (const name of paths.clean) names.add(name)
    for (const name of paths.made) made.add(name)
    for (const name of paths.dirty) if (!names.has(name)) dirty.add(name)
  }
  const status = parseStatus(await repository.run([
    'status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty',
  ]))
  const differing = new Set(status.entries.filter(({ kind }) => kind !== 'conflicted').map(({ path }) => path))
  const isOpen = (name: string): boolean => differing.has(name)
  const left = await leftOut(repository, [...made].filter(isOpen), { root, head: await repository.head() })
  const shown = (name: string): string => {
    const path = join(repository.top, name)
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  }
  return {
    files: [...names].filter((name) => isOpen(name) && !left.has(name)).map(shown).sort(),
    told: [
      ...toldOfLeftOut(left, shown),
      ...[...dirty].filter((name) => isOpen(name) && !names.has(name)).map((name) => (
        `Changed by a command, not committed since not clean before: ${shown(name)}`
      )),
    ],
  }
}
