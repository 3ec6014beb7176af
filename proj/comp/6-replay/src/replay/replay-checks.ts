import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { RESULTS_SUFFIX } from '../../../2-transcripts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { requireOtherFiles, type Output } from '../../../2-files/src/index.js'
import { commitOf } from './compare/fingerprint.js'
import type { PathPlan } from './path-plans.js'
import type { ReplaySetup } from './replay-setup.js'

/**
 * Checks settings that concern all transcripts, before any of them runs.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export async function checkReplay(
  { paths, fixture, git: ref, repo, expect, isQueued, keepResults }: ReplaySetup,
): Promise<void> {
  if (ref !== undefined && isQueued) {
    throw usageError(
      '--git does not go by a queue: its repository is on this machine',
      'Check the commit out, and give it as --fixture DIR; its .git is left out.',
    )
  }
  if (fixture !== undefined && ref !== undefined) {
    throw usageError('--fixture and --git cannot be given together', 'Give one of them.')
  }
  if (fixture !== undefined) {
    requireDirectory(fixed(fixture), (path) => `There is no fixture ${path}`, 'Give a directory with --fixture.')
  }
  if (expect !== undefined && !expect.startsWith('sha256:')) {
    const hint = 'Give a directory, or the sha256:… hash of one.'
    requireDirectory(fixed(expect), (path) => `There is no directory ${path} to expect`, hint)
  }
  if (ref !== undefined) {
    const repository = repo ?? '.'
    requireDirectory(repository, (path) => `There is no repository ${path}`, 'Give its directory with --repo.')
    await commitOf(repository, ref)
  } else if (repo !== undefined) throw usageError('--repo needs --git', 'Write --git REF --repo DIR.')
  if (keepResults && paths.some((path) => path === '-' || path === '/dev/stdin')) {
    throw usageError('--update cannot rewrite standard input', 'Give the transcripts as files.')
  }
}

/** The part of a path before `{name}`. */
function fixed(path: string): string {
  return path.includes('{name}') ? dirname(`${path.split('{name}')[0] ?? ''}x`) : path
}

function requireDirectory(path: string, problem: (path: string) => string, hint: string): void {
  if (!orNothing(() => statSync(path).isDirectory(), false)) throw usageError(problem(path), hint)
}

/**
 * Makes sure that no output overwrites an input, even one that only a `replay.yaml` names.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function checkOutputs(
  outputs: readonly Output[], { paths, mappings, fixture, expect }: ReplaySetup, plans: readonly PathPlan[],
): void {
  const inputs = [
    ...paths, ...mappings, ...[fixture, expect].filter((value) => value !== undefined).map(fixed),
    ...paths.map((path) => `${path}${RESULTS_SUFFIX}`), ...plans.flatMap(({ reads }) => reads),
  ]
  requireOtherFiles(outputs, { paths: inputs, isRead: 'read by this replay' })
}
