import { HermesError } from '../../0-contracts/src/index.js'
import type { GitReader } from '../../2-git/src/index.js'
import { escapeControls, nearest } from '../../0-text/src/index.js'

/** Most branches and tags searched for a similar name. */
const MAX_NAMES = 1000

/**
 * The full hash of one commit.
 *
 * @param name a branch, tag, hash or expression such as `HEAD~2`, as a model wrote it
 * @throws HermesError `INVALID_PARAMETER` with the nearest branch or tag
 */
export async function resolveCommit(verb: string, name: string, git: GitReader): Promise<string> {
  requireCommitName(verb, name)
  const object = await resolve(name, git)
  // In two steps: within `:/text`, everything that follows is part of the text.
  const commit = object === undefined ? undefined : await resolve(`${object}^{commit}`, git)
  if (commit !== undefined) return commit
  const names = await git.try(['for-each-ref', `--count=${MAX_NAMES}`, '--format=%(refname:short)'])
  throw unknownCommit(verb, name, nearest(name, names.stdout.toString('utf8').split('\n').filter(line => line !== '')))
}

/** @throws HermesError `INVALID_PARAMETER` for text that cannot name a commit */
export function requireCommitName(verb: string, name: string): void {
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
