import { lstatSync, readFileSync, writeFileSync, type Dirent } from 'node:fs'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { isNodeError, orNothing, unless } from '../../../../0-contracts/src/index.js'
import { diskPath, readNames, writeOwn } from '../../../../2-files/src/index.js'
import { journalKey, lastMacIn, macOfFile, splitMac } from '../../journal/index.js'
import { standingPlaceholders } from '../../../../2-sandbox/src/index.js'
import { pastFilters } from './past-filters.js'
import { gitFailure, nulNames } from '../../../../2-git/src/index.js'
import { isMalformed } from '../../malformed.js'
import type { Repository } from '../repository.js'

const usualModes = v.strictObject({ file: v.number(), program: v.number(), directory: v.number() })
const inventory = v.strictObject({
  ignored: v.array(v.string()),
  others: v.array(v.string()),
  directories: v.array(v.string()),
  empty: v.array(v.string()),
  usual: usualModes,
  modes: v.record(v.string(), v.number()),
  raw: v.optional(v.record(v.string(), v.string())),
  large: v.optional(v.record(v.string(), v.string())),
})

/**
 * What git's snapshot of a work tree does not record. Paths are relative to its top; those of directories end with `/`.
 *
 * - `ignored`: ignored files, and directories ignored as a whole, which are not entered
 * - `others`: nested repositories, pipes and devices, unreadable directories
 * - `directories`: all that were entered; `empty`: those without entries
 * - `usual`: the most frequent permission bits of files, programs and directories; `modes`: those of all others
 * - `large`: files that the snapshot replaces by a stand-in, with their signatures (`largeFiles`)
 * - `raw`: git object ids of files byte for byte, where a checkout would differ (`saveRawCopies`)
 */
export type Inventory = v.InferOutput<typeof inventory>
export type Moment = 'before' | 'after'

/** @param usual of an earlier inventory, with which this one will be compared */
export async function takeInventory(repository: Repository, usual?: Inventory['usual']): Promise<Inventory> {
  const output = await pastFilters((filters) => repository.try([
    ...filters, 'status', '--porcelain', '-z', '--ignored=matching', '--untracked-files=all', '--no-renames',
    '--ignore-submodules=all',
  ], { env: { GIT_OPTIONAL_LOCKS: '0' } }))
  if (output.exitCode !== 0) throw gitFailure('git', output)
  const status = nulNames(output.stdout)
  const ignored = status.filter((line) => line.startsWith('!! ')).map((line) => line.slice(3))
  return new Walk(repository.top, ignored).take(usual)
}

/**
 * Saves it beside the run's log.
 *
 * @param durable it has to survive a loss of power
 */
export function saveInventory(directory: string, moment: Moment, files: Inventory, durable: boolean): void {
  const text = JSON.stringify(files)
  const key = journalKey()
  const mac = key && macOfFile(key, basename(directory), moment, text)
  const signed = mac === undefined ? text : `${text.slice(0, -1)},"mac":"${mac}"}`
  writeFileSync(fileOf(directory, moment), signed, { mode: 0o600, flush: durable })
}

/** Signs the files beside the log of a run that is adopted by this user. */
export function signInventories(directory: string): void {
  const key = journalKey()
  for (const moment of ['before', 'after'] as const) {
    const kept = key && parsed(fileOf(directory, moment), (text) => text)
    const text = kept && JSON.stringify(kept)
    if (!text) continue
    const mac = macOfFile(key, basename(directory), moment, text)
    writeOwn(fileOf(directory, moment), `${text.slice(0, -1)},"mac":"${mac}"}`)
  }
}

/** @returns `undefined` where there is none, it is cut off, or its signature is wrong */
export function readInventory(directory: string, moment: Moment): Inventory | undefined {
  return parsed(fileOf(directory, moment), (body, mac) => {
    // Where the log beside it is signed, this has to be.
    if (mac === undefined) return lastMacIn(directory) === undefined ? body : undefined
    const key = journalKey()
    return key && macOfFile(key, basename(directory), moment, body) === mac ? body : undefined
  })
}

/** @param check gets the text and its signature, and returns the part to parse */
function parsed(
  file: string, check: (body: string, mac: string | undefined) => string | undefined,
): Inventory | undefined {
  const isNone = (error: unknown): boolean => isMalformed(error) || (isNodeError(error) && error.code === 'ENOENT')
  return unless(isNone, () => {
    const { body, mac } = splitMac(readFileSync(file, 'utf8'))
    const text = check(body, mac)
    return text === undefined ? undefined : v.parse(inventory, JSON.parse(text))
  }, undefined)
}

/** @param path as in `modes` */
export function modeIn({ modes, usual }: Inventory, path: string, isProgram: boolean): number {
  return Object.hasOwn(modes, path) ? modes[path] ?? 0
    : path.endsWith('/') ? usual.directory : isProgram ? usual.program : usual.file
}

function fileOf(directory: string, moment: Moment): string {
  return join(directory, `commands-${moment}.json`)
}

class Walk {
  readonly #ignored: Set<string>
  readonly #modes = new Map<string, number>()
  readonly #others: string[] = []
  readonly #directories: string[] = []
  readonly #empty: string[] = []

  constructor(private readonly top: string, ignored: readonly string[]) {
    this.#ignored = new Set(ignored)
  }

  take(given: Inventory['usual'] | undefined): Inventory {
    this.#enter('')
    const usual = given ?? this.#usual()
    const modes = [...this.#modes].filter(([path, mode]) => mode !== usual[kindOf(path, mode)])
    return {
      ignored: [...this.#ignored], others: this.#others, directories: this.#directories, empty: this.#empty, usual,
      modes: Object.fromEntries(modes),
    }
  }

  /** The most frequent mode of each kind, in one pass over all paths. */
  #usual(): Inventory['usual'] {
    const counts = {
      file: new Map<number, number>(), program: new Map<number, number>(), directory: new Map<number, number>(),
    }
    for (const [path, mode] of this.#modes) {
      const count = counts[kindOf(path, mode)]
      count.set(mode, (count.get(mode) ?? 0) + 1)
    }
    const mostOf = (kind: keyof Inventory['usual'], none: number): number => (
      [...counts[kind]].reduce<[number, number]>((most, each) => (each[1] > most[1] ? each : most), [none, 0])[0]
    )
    return { file: mostOf('file', 0o644), program: mostOf('program', 0o755), directory: mostOf('directory', 0o755) }
  }

  #enter(below: string): void {
    const entries = this.#entries(below)
    if (entries === undefined || (below !== '' && entries.some(({ name }) => name === '.git'))) {
      this.#others.push(below)
      return
    }
    if (below !== '') {
      this.#note(below)
      this.#directories.push(below)
      if (entries.length === 0) this.#empty.push(below)
    }
    for (const entry of entries) {
      const path = `${below}${entry.name}${entry.isDirectory() ? '/' : ''}`
      if (path === '.git/' || path === '.git' || this.#ignored.has(path) || entry.isSymbolicLink()) continue
      // Git lists its content, since the ignore file is inside it.
      if (entry.name === '.hermes') this.#ignored.add(path)
      else if (entry.isDirectory()) this.#enter(path)
      else if (entry.isFile()) this.#note(path)
      else this.#others.push(path)
    }
  }

  /** Records an entry, which may be gone by now. */
  #note(path: string): void {
    const stats = lstatSync(diskPath(join(this.top, path)), { throwIfNoEntry: false })
    if (stats) this.#modes.set(path, stats.mode & 0o7777)
  }

  #entries(below: string): Dirent[] | undefined {
    return orNothing(() => {
      const directory = join(this.top, below)
      const placeholders = new Set(standingPlaceholders())
      const entries = readNames(directory)
      return placeholders.size === 0 ? entries : entries.filter(({ name }) => !placeholders.has(join(directory, name)))
    }, undefined)
  }
}

function kindOf(path: string, mode: number): keyof Inventory['usual'] {
  return path.endsWith('/') ? 'directory' : (mode & 0o100) === 0 ? 'file' : 'program'
}
