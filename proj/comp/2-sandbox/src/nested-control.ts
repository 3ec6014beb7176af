import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError, settingName } from '../../0-contracts/src/index.js'
import {
  barePlaces, gitlinksAround, MOST_DIRECTORIES, nestedPlaces, workTreePlaces, type GitPlaces, type NestedPlaces,
} from '../../2-git/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { lstatOf } from './home.js'
import { keptPaths, missingPlaces, namesBetween, type MissingPlace } from './kept-paths.js'
import { identityOf, isMadeByCommand, recordMade, type Identity } from './made-places.js'
import type { Mount } from './mounts.js'

/** What commands may not change in directories that they may write, though it is not these directories' own. */
export interface NestedControl {
  kept: readonly string[]
  /** Of work trees: what has to be made so that it can be kept. */
  missing: readonly MissingPlace[]
  /** To be called once what a command left running has ended too: notes what it made. */
  lookAgain?: () => void
  /** What the user has opened to this command alone: it shares nothing with others. */
  opened?: readonly Mount[]
}

/** Each takes two mounts, and bubblewrap's time grows with their square: so many take about a second. */
const MOST_NESTED = 200

/** What was found below directories that commands may write, before one of them. */
export class NestedWatch {
  readonly #before: Found[]

  /** @param most how many directories are looked at in each */
  constructor(private readonly directories: readonly string[], private readonly most = MOST_DIRECTORIES) {
    this.#before = directories.map(directory => find(directory, most))
  }

  /**
   * What decides which programs git and hermes run in repositories and projects there: submodules, work trees of their
   * own, bare repositories, policies. What a command made is not kept from the next one, and counts for nothing until
   * the user says so (`made-places.ts`).
   *
   * @throws HermesError `POLICY_DENIED` where there are more than can be kept
   */
  control(verb: string): NestedControl {
    const all = this.#before.map((before, at) => controlOf(verb, this.directories[at]!, before, this.most))
    return { kept: all.flatMap(({ kept }) => kept), missing: all.flatMap(({ missing }) => missing) }
  }

  /**
   * The command has ended: what is there now and was not is its work. Where it made more directories than can be looked
   * at, the whole directory counts as its work.
   */
  end(): void {
    const before = new Set(this.#before.flatMap(({ identities }) => [...identities.values()]))
    const now = this.directories.flatMap((directory, at): [string, Identity][] => {
      const { identities, isCut } = find(directory, this.most)
      const itself = isCut && !this.#before[at]!.isCut ? identityOf(directory) : undefined
      return [...identities, ...(itself === undefined ? [] : [[directory, itself] as [string, Identity]])]
    })
    // What went on after its command is looked at twice: nothing is noted a second time.
    note(now.filter(([, identity]) => !before.has(identity) && !isMadeByCommand(identity)))
  }
}

/**
 * hermes died while a command was at work: nobody looked at what that made. What came into being below the directory
 * in that time counts as its work.
 *
 * @param from milliseconds since 1970, as `until`
 * @returns what was noted and had not been
 */
export function noteMadeBetween(directory: string, from: number, until: number): string[] {
  const made = [...find(directory).identities].filter(([path, identity]) => {
    const born = lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs
    return born !== undefined && born >= from && born <= until && !isMadeByCommand(identity)
  })
  note(made)
  return made.map(([path]) => path)
}

function note(places: readonly (readonly [string, Identity])[]): void {
  const made = new Map(places)
  if (made.size === 0) return
  try {
    recordMade(made)
  } catch (error) {
    if (!isNodeError(error)) throw error
    process.emitWarning(`${[...made.keys()].join(', ')} made by a command could not be noted (${error.code}): do not `
      + 'use it as a root')
  }
}

interface Found extends NestedPlaces {
  /** Of each place: the `.git` of a work tree, a bare repository, a policy. */
  identities: ReadonlyMap<string, Identity>
}

function find(directory: string, mostDirectories = MOST_DIRECTORIES): Found {
  const places = nestedPlaces(directory, mostDirectories)
  const { workTrees, bare, ofHermes } = places
  const identities = [...workTrees.map(gitOf), ...bare, ...ofHermes].flatMap((path): [string, Identity][] => {
    const identity = identityOf(path)
    return identity === undefined ? [] : [[path, identity]]
  })
  return { ...places, identities: new Map(identities) }
}

function controlOf(verb: string, directory: string, before: Found, mostDirectories: number): NestedControl {
  if (before.isCut) {
    throw tooMany(verb, `${mostDirectories} directories in ${directory}`, 'They cannot all be looked at.')
  }
  const isTheUsers = (path: string): boolean => {
    const identity = before.identities.get(path)
    return identity !== undefined && !isMadeByCommand(identity)
  }
  const repositories = before.bare.filter(isTheUsers)
  const policies = before.ofHermes.filter(isTheUsers)
  const { trees, linked, gone } = withLinked(verb, directory, before.workTrees.filter(top => isTheUsers(gitOf(top))))
  if (trees.length + repositories.length + policies.length + linked.length + gone.length > MOST_NESTED) {
    throw tooMany(verb, `${MOST_NESTED} repositories and projects in ${directory}`,
      'Their settings cannot all be kept from commands.')
  }
  const kept = [
    ...policies, ...repositories, ...linked, ...trees.flatMap(top => keptPaths(top)),
    ...[...trees.map(workTreePlaces), ...repositories.map(barePlaces)].flatMap(allOf),
  ].filter(path => path !== directory && isInside(directory, path) && lstatOf(path) !== undefined)
  const missing = [...trees.flatMap(top => missingPlaces(top)), ...gone]
  return { kept: [...new Set([...kept, ...missing.map(({ path }) => path)])], missing }
}

interface Linked {
  /** Work trees with what the indexes of others name: submodules that are checked out. */
  trees: readonly string[]
  /** Those that are not: git enters them as soon as there is a repository. */
  linked: readonly string[]
  gone: readonly MissingPlace[]
}

/**
 * Git enters a directory for the sake of an entry in the index alone, whoever made the repository there.
 *
 * @param trees below the directory
 */
function withLinked(verb: string, directory: string, trees: readonly string[]): Linked {
  const all = new Set(trees)
  const linked = new Set<string>()
  const gone = new Map<string, MissingPlace>()
  for (const top of [directory, ...all]) addLinked(top)
  return { trees: [...all], linked: [...linked], gone: [...gone.values()] }

  function addLinked(top: string): void {
    const links = gitlinksAround(top)
    if (links === undefined) {
      throw new HermesError('POLICY_DENIED', `${verb}: the index of the repository in ${top} cannot be read`, {
        hint: 'It says which submodules have to be kept from commands. Ask the user to mend it (git status there tells '
          + 'more; git update-index --no-split-index joins one in two parts), or to run commands without a sandbox '
          + `(${settingName('unconfined')}).`,
      })
    }
    for (const path of links) {
      if (path === directory || !isInside(directory, path) || all.has(path)) continue
      const inWay = namesBetween(directory, path).find(place => !lstatOf(place)?.isDirectory())
      if (inWay !== undefined) {
        if (lstatOf(inWay)) linked.add(inWay)
        else gone.set(inWay, { path: inWay, kind: 'directory' })
      } else if (lstatOf(join(gitOf(path), 'HEAD')) !== undefined || lstatOf(gitOf(path))?.isFile()) {
        all.add(path)
        addLinked(path)
      } else linked.add(path)
    }
  }
}

function gitOf(top: string): string {
  return join(top, '.git')
}

function allOf({ repositories, configurations, hooks }: GitPlaces): string[] {
  return [...repositories, ...configurations, ...hooks]
}

function tooMany(verb: string, what: string, why: string): HermesError {
  return new HermesError('POLICY_DENIED', `${verb}: more than ${what}`, {
    hint: `${why} Ask the user for a smaller root, or to run commands without a sandbox (${
      settingName('unconfined')}).`,
  })
}
