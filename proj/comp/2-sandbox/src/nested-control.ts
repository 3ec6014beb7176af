import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../0-contracts/src/index.js'
import { barePlaces, nestedPlaces, workTreePlaces, type GitPlaces } from '../../2-git/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { keptPaths, missingPlaces, type MissingPlace } from './kept-paths.js'
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
  readonly #directories: readonly string[]
  readonly #before: Found[]

  constructor(directories: readonly string[]) {
    this.#directories = directories
    this.#before = directories.map(find)
  }

  /**
   * What decides which programs git and hermes run in repositories and projects there: submodules, work trees of their
   * own, bare repositories, policies. What a command made is not kept from the next one, and counts for nothing until
   * the user says so (`made-places.ts`).
   *
   * @throws HermesError `POLICY_DENIED` where there are more than can be kept
   */
  control(verb: string): NestedControl {
    const all = this.#before.map((found, at) => controlOf(verb, this.#directories[at]!, found))
    return { kept: all.flatMap(({ kept }) => kept), missing: all.flatMap(({ missing }) => missing) }
  }

  /** The command has ended: what is there now and was not is its work. */
  end(): void {
    const before = new Set(this.#before.flatMap(({ identities }) => [...identities.values()]))
    const now = this.#directories.flatMap(directory => [...find(directory).identities])
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

interface Found {
  workTrees: readonly string[]
  bare: readonly string[]
  ofHermes: readonly string[]
  /** Of each place: the `.git` of a work tree, a bare repository, a policy. */
  identities: ReadonlyMap<string, Identity>
}

function find(directory: string): Found {
  const { workTrees, bare, ofHermes } = nestedPlaces(directory)
  const identities = [...workTrees.map(gitOf), ...bare, ...ofHermes].flatMap((path): [string, Identity][] => {
    const identity = identityOf(path)
    return identity === undefined ? [] : [[path, identity]]
  })
  return { workTrees, bare, ofHermes, identities: new Map(identities) }
}

function controlOf(verb: string, directory: string, found: Found): NestedControl {
  const isTheUsers = (path: string): boolean => {
    const identity = found.identities.get(path)
    return identity !== undefined && !isMadeByCommand(identity)
  }
  const trees = found.workTrees.filter(top => isTheUsers(gitOf(top)))
  const repositories = found.bare.filter(isTheUsers)
  const policies = found.ofHermes.filter(isTheUsers)
  if (trees.length + repositories.length + policies.length > MOST_NESTED) throw tooMany(verb, directory)
  const kept = [
    ...policies, ...repositories, ...trees.flatMap(top => keptPaths(top)),
    ...[...trees.map(workTreePlaces), ...repositories.map(barePlaces)].flatMap(allOf),
  ].filter(path => path !== directory && isInside(directory, path) && isThere(path))
  const missing = trees.flatMap(top => missingPlaces(top))
  return { kept: [...new Set([...kept, ...missing.map(({ path }) => path)])], missing }
}

function gitOf(top: string): string {
  return join(top, '.git')
}

function allOf({ repositories, configurations, hooks }: GitPlaces): string[] {
  return [...repositories, ...configurations, ...hooks]
}

function isThere(path: string): boolean {
  return orNothing(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, false)
}

function tooMany(verb: string, directory: string): HermesError {
  const message = `${verb}: more than ${MOST_NESTED} repositories and projects in ${directory}`
  return new HermesError('POLICY_DENIED', message, {
    hint: 'Their settings cannot all be kept from commands. Ask the user for a smaller root, or to run commands '
      + 'without a sandbox (--sandbox none).',
  })
}
