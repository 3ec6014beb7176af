import { HermesError } from '../../../0-contracts/src/index.js'
import { heldFilters, runGit, wasRefused, type GitOutput, type GitRun } from '../../../2-git/src/index.js'
import { holdFilters, type FilterPlace, type HookConsent } from '../../../2-sandbox/src/index.js'

/** Where filters that a repository's configuration names run, and who is asked where there is no sandbox. */
export interface FilterConsent {
  place: FilterPlace
  consent: HookConsent
}

/** These write the work tree, and would stop half-way at a file whose filter is refused. */
const WRITING = new Set(['checkout', 'read-tree', 'reset', 'restore', 'stash'])

/**
 * Runs git so that filters of the repository's own configuration run in the sandbox. Most files have none: a sandbox is
 * asked for once git has stopped at one that has.
 *
 * @throws HermesError `POLICY_DENIED` where a filter would have to run and nothing may hold it
 */
export async function runGitHoldingFilters(
  args: readonly string[], git: GitRun, held: FilterConsent | undefined,
): Promise<GitOutput> {
  if (!held || !WRITING.has(commandOf(args)) || (await heldFilters(git)).length === 0) {
    const output = await runGit(args, git)
    if (!wasRefused(output)) return output
    if (!held) throw refused(output)
  }
  const { use, release } = await holdFilters(held.place, held.consent, await heldFilters(git))
  try {
    return await runGit(args, { ...git, filters: use })
  } finally {
    release()
  }
}

/** The first word that is no option of git itself. */
function commandOf(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) return word
    if (word === '-c' || word === '-C') at++
  }
  return ''
}

function refused({ stderr }: GitOutput): HermesError {
  const [, path = 'a file', filter = ''] = /^fatal: (.+): (?:clean|smudge) filter '(.*)' failed$/m.exec(stderr) ?? []
  return new HermesError('POLICY_DENIED', `git: ${path} has the filter ${filter}, a program that only the repository's `
    + 'own configuration names: it is not run outside of a sandbox', {
    hint: 'The user can look at .git/config, and name the filter in their own: git config --global '
      + `filter.${filter}.clean …`,
  })
}
