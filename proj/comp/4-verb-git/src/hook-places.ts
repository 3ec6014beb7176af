import { readdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { orNothing, type VerbContext } from '../../0-contracts/src/index.js'
import { gitFailure, NO_HOOKS, nulFields, runGit, type GitOutput, type GitRun } from '../../2-git/src/index.js'
import { fromTo, literal, isInReach, type OpenedRepository } from './open-repository.js'

/** Configuration key for trees and blobs of hooks that git_commit brought into HEAD. */
const CHANGED = 'hermes.changedHooks'

type Where = Pick<GitRun, 'verb' | 'cwd' | 'signal' | 'timeoutMs'>

/** The hooks of a repository that verbs can write: their content may be a model's instead of the user's. */
export interface HookPlaces {
  /** Whether some may not be the user's, so that none is run. */
  skipped: boolean
  /** Their directory and the targets of its links, from the top of the work tree. */
  places: readonly string[]
  /** Their objects in HEAD. */
  objects: readonly string[]
}

/**
 * Finds out whether the hooks are the user's: outside the work tree, where no verb writes, or unchanged from HEAD,
 * unless git_commit brought them there.
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

/** Records hooks that a commit changed, so that the next commit does not take them for the user's. */
export async function noteChangedHooks({ places, objects }: HookPlaces, where: Where): Promise<void> {
  if (places.length === 0) return
  for (const object of await hookObjects(places, where)) {
    if (object !== '' && !objects.includes(object)) await git(['config', '--local', '--add', CHANGED, object], where)
  }
}

/** The directory itself, and the targets of hooks that are links. */
function realPlaces(directory: string): string[] {
  // Without a directory there are no hooks.
  return orNothing(() => {
    const real = realpathSync(directory)
    const hooks = readdirSync(real, { withFileTypes: true }).filter(entry => entry.isSymbolicLink())
    // A dangling link leads nowhere.
    return [real, ...hooks.flatMap(({ name }) => orNothing(() => realpathSync(join(real, name)), []))]
  }, [])
}

/** Objects in HEAD; `''` where it has none. */
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
