import { HermesError } from '../../../0-contracts/src/index.js'
import {
  FilterFailed, filteredFile, heldFilters, runGit, wasRefused, type GitOutput, type GitRun,
} from '../../../2-git/src/index.js'
import { holdFilters, type FilterPlace, type HeldForFilters, type HookConsent } from '../../../2-sandbox/src/index.js'

/** Where filters named by a repository's configuration run, and whom to ask where there is no sandbox. */
export interface FilterConsent {
  place: FilterPlace
  consent: HookConsent
}

/** Commands that write the work tree, and would stop half-way at a file whose filter is refused. */
const WRITING = new Set(['checkout', 'read-tree', 'reset', 'restore', 'stash'])

/**
 * Runs git so that filters of the repository's own configuration run in the sandbox. Most files have none, so the
 * sandbox is only prepared once git has stopped at a file with one.
 *
 * @throws HermesError `POLICY_DENIED` where a filter would have to run without a sandbox
 */
export async function runGitHoldingFilters(
  args: readonly string[], git: GitRun, held: FilterConsent | undefined,
): Promise<GitOutput> {
  let stopped: GitOutput | undefined
  if (!held || !WRITING.has(commandOf(args)) || (await heldFilters(git)).length === 0) {
    stopped = await runGit(args, git)
    if (!wasRefused(stopped)) return stopped
    if (!held) throw refused(stopped)
  }
  const { use, release } = await holding(held, git, stopped)
  try {
    return await runGit(args, { ...git, filters: use })
  } finally {
    release()
  }
}

/** @param stopped git's output where it stopped at a file with a filter */
async function holding(
  { place, consent }: FilterConsent, git: GitRun, stopped: GitOutput | undefined,
): Promise<HeldForFilters> {
  try {
    return await holdFilters(place, consent, await heldFilters(git))
  } catch (error) {
    const at = stopped && filteredFile(stopped.stderr)
    throw at && error instanceof HermesError ? new FilterFailed(at, error) : error
  }
}

/** The git command: the first argument that is no option. */
function commandOf(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) return word
    if (word === '-c' || word === '-C') at++
  }
  return ''
}

function refused({ stderr }: GitOutput): HermesError {
  const at = filteredFile(stderr)
  const { path, filter } = at ?? { path: 'a file', filter: '' }
  const error = new HermesError('POLICY_DENIED', `git: ${path} has the filter ${filter}, a program that only the `
    + 'repository\'s own configuration names: it is not run outside of a sandbox', {
    hint: 'The user can look at .git/config, and name the filter in their own: git config --global '
      + `filter.${filter}.clean …`,
  })
  return at ? new FilterFailed(at, error) : error
}
