import { appendFileSync, lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { caught, HermesError, isNodeError, orNothing, parseJson } from '../../0-contracts/src/index.js'
import { hermesHome, shownHome, withOwnFile, writingOwn } from '../../2-config/src/index.js'
import { lstatOf } from './home.js'

/**
 * Which file or directory it is, also after it was moved: device, inode, and when it was made, since inodes are used
 * again.
 */
export type Identity = string

/** A line a place: the user's own record of `.git`, `.hermes`, `hermes.yaml` and repositories that commands made. */
const FILE = 'made-by-commands.jsonl'
const line = v.object({ id: v.string(), path: v.string(), made: v.boolean() })
/** Names that make a directory a root with settings of its own. */
const NAMES = ['.git', '.hermes', 'hermes.yaml']

let known: { signature: string; made: Map<Identity, string> } | undefined

export function identityOf(path: string): Identity | undefined {
  const stat = lstatOf(path)
  return stat && `${stat.dev}:${stat.ino}:${Math.round(stat.birthtimeMs)}`
}

export function isMadeByCommand(identity: Identity): boolean {
  return madePlaces().has(identity)
}

/** @throws Node's errors, where the user's directory cannot be written */
export function recordMade(places: ReadonlyMap<string, Identity>): void {
  append([...places].map(([path, id]) => ({ id, path, made: true })))
}

/**
 * What a command made of a directory's own settings, or of those of one that leads to it: git and hermes would go by
 * them there.
 *
 * @param directory canonical
 */
export function untrustedPlaces(directory: string): string[] {
  const made = madePlaces()
  if (made.size === 0) return []
  const paths: string[] = []
  for (let here = directory; ; here = dirname(here)) {
    for (const path of [here, ...NAMES.map(name => join(here, name))]) {
      const identity = identityOf(path)
      if (identity !== undefined && made.has(identity)) paths.push(path)
    }
    if (here === dirname(here)) return paths
  }
}

/**
 * @throws HermesError `POLICY_DENIED` for a root whose settings a command made; with the system's code where the record
 *   of them cannot be read
 */
export function requireTrustedRoot(directory: string): void {
  const [first, ...others] = untrustedPlaces(directory)
  if (first === undefined) return
  const what = NAMES.includes(basename(first)) ? first : `${first}, or more directories in it than are looked at`
  throw new HermesError('POLICY_DENIED', `A command of hermes made ${what}: nothing in ${directory} goes by it yet`, {
    hint: `Look at ${[first, ...others].join(', ')} (hooks, settings, policy). To accept it: hermes init --trust in `
      + `${directory}. Else remove it.`,
  })
}

/** The user accepts what commands made there. @returns its paths @throws HermesError with the system's code */
export function trustPlaces(directory: string): string[] {
  const paths = untrustedPlaces(directory)
  const lines = paths.map(path => ({ id: identityOf(path) ?? '', path, made: false }))
  writingOwn(join(hermesHome(), FILE), () => append(lines))
  return paths
}

function append(lines: readonly v.InferOutput<typeof line>[]): void {
  if (lines.length === 0) return
  const text = lines.map(candidate => `${JSON.stringify(candidate)}\n`).join('')
  withOwnFile(join(hermesHome(), FILE), descriptor => appendFileSync(descriptor, text))
}

function madePlaces(): ReadonlyMap<Identity, string> {
  const file = join(hermesHome(), FILE)
  const stat = orNothing(() => lstatSync(file, { throwIfNoEntry: false }) ?? 'none', undefined)
  // Nothing is opened for a record that is not there: a run can begin with few descriptors left.
  if (stat === 'none') return new Map()
  const signature = stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`
  if (known?.signature !== `${file}:${signature}`) known = { signature: `${file}:${signature}`, made: read(file) }
  return known.made
}

function read(file: string): Map<Identity, string> {
  const made = new Map<Identity, string>()
  for (const text of linesOf(file)) {
    const { success, output } = v.safeParse(line, parseJson(text))
    // Else it was cut off by a full disk.
    if (success && output.made) made.set(output.id, output.path)
    else if (success) made.delete(output.id)
  }
  return made
}

/** @throws HermesError with the system's code for what cannot be read: it may name the root */
function linesOf(file: string): string[] {
  return caught(isNodeError, () => readFileSync(file, 'utf8').split('\n'), (error) => {
    // Where the home is a file there can be no record.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw new HermesError(error.code, `Cannot read ${shownHome(file)} (${error.code})`, {
      hint: 'It says which repositories commands made, so nothing runs without it: make it readable, or name a '
        + 'directory of your own by HERMES_HOME.',
      cause: error,
    })
  })
}
