import { readdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isNodeError, orNothing, type VerbContext } from '../../0-contracts/src/index.js'
import { gitFailure, NO_HOOKS, nulFields, runGit, type GitOutput, type GitRun } from '../../2-git/src/index.js'
import { fromTo, literal, isInReach, type OpenedRepository } from './open-repository.js'

/** Trees and blobs of hooks that came into HEAD by git_commit, in the repository's configuration. */
const CHANGED = 'hermes.changedHooks'

type Where = Pick<GitRun, 'verb' | 'cwd' | 'signal' | 'timeoutMs'>

/** The hooks of a repository as far as verbs can write them: what they hold may be of a model, not of the user. */
export interface HookPlaces {
  /** Some may not be the user's: they are not run. */
  skipped: boolean
  /** Their directory, and what its links lead to, from the top of the work tree. */
  places: readonly string[]
  /** Their objects in HEAD. */
  objects: readonly string[]
}

/**
 * Whether the hooks are the user's: outside the work tree where no verb can write, or as HEAD has them, unless it has
 * them by git_commit.
 */
export async function hookPlaces(
  repository: OpenedRepository, where: Where, { gate }: Pick<VerbContext, 'gate'>,
): Promise<HookPlaces> {
  const { stdout } = await git(['rev-parse', '--git-path', 'hooks'], { ...where, seesHooks: true })
  const writable = realPlaces(resolve(where.cwd, stdout.toString('utf8').replace(/\n$/, '')))
    .filter(path => isInReach(gate, path) || isInReach(gate, join(path, 'pre-commit')))
  if (writable.length === 0) return { skipped: false, places: [], objects: [] }
  const top = realpathSync(repository.top)
  const places = writable.flatMap(path => fromTo(top, path) ?? [])
  const objects = await hookObjects(places, where)
  const isForeign = places.length < writable.length || objects.includes('')
  const skipped = isForeign || await differsFromHead(places, where) || await areChanged(objects, where)
  return { skipped, places, objects }
}

/** Notes hooks that a commit changed, so that the next one does not take them for the user's. */
export async function noteChangedHooks({ places, objects }: HookPlaces, where: Where): Promise<void> {
  if (places.length === 0) return
  for (const object of await hookObjects(places, where)) {
    if (object !== '' && !objects.includes(object)) await git(['config', '--local', '--add', CHANGED, object], where)
  }
}

/** The directory itself, and each hook in it that is a link to elsewhere. */
function realPlaces(directory: string): string[] {
  try {
    const real = realpathSync(directory)
    const hooks = readdirSync(real, { withFileTypes: true }).filter(entry => entry.isSymbolicLink())
    return [real, ...hooks.flatMap(({ name }) => realPlace(join(real, name)) ?? [])]
  } catch (error) {
    // Without a directory there are no hooks.
    if (isNodeError(error)) return []
    throw error
  }
}

function realPlace(link: string): string | undefined {
  // It leads nowhere.
  return orNothing(() => realpathSync(link), undefined)
}

/** `''` for what HEAD does not have. */
async function hookObjects(places: readonly string[], where: Where): Promise<string[]> {
  const objects: string[] = []
  for (const place of places) {
    const output = await runGit(['rev-parse', '--verify', '--quiet', `HEAD:${place}`], where)
    objects.push(output.exitCode === 0 ? output.stdout.toString('utf8').trim() : '')
  }
  return objects
}

async function differsFromHead(places: readonly string[], where: Where): Promise<boolean> {
  const { stdout } = await git([
    ...NO_HOOKS, 'status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching', '--',
    ...places.map(literal),
  ], where)
  return nulFields(stdout).length > 0
}

async function areChanged(objects: readonly string[], where: Where): Promise<boolean> {
  const { stdout } = await runGit(['config', '--local', '--get-all', CHANGED], where)
  const changed = new Set(stdout.toString('utf8').split('\n'))
  return objects.some(object => changed.has(object))
}

async function git(args: readonly string[], where: Where & Pick<GitRun, 'seesHooks'>): Promise<GitOutput> {
  const output = await runGit(args, where)
  if (output.exitCode !== 0) throw gitFailure('git_commit', output)
  return output
}
