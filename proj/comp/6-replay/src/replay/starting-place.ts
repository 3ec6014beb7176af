import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, isNodeError, type ApprovedPath, type PathAccess } from '../../../0-contracts/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { OUTSIDE_THE_STORE } from '../../../5-executor/src/index.js'
import { createPathGate, DiskFiles, diskPath, inParent } from '../../../2-files/src/index.js'
import {
  bytesOfContent, requireFitStart, type KeptContent, type StartingPath,
} from '../../../2-transcripts/src/index.js'
import type { Ran } from './run-step.js'

/** Of what is not kept a file of its size stands in its place, up to here, so that listings are as they were. */
const MOST_STAND_IN = 16 << 20
/** Most that all files of one transcript take, in bytes: one content may stand under any number of paths. */
const MOST_PLACED = 1 << 30
const MOST_NAMED = 3

/** The workspace of a recording that holds what its runs started from. */
export class StartingPlace {
  readonly #root: string
  readonly #contents: Readonly<Record<string, KeptContent>>
  /** Why contents are not there, by path. */
  readonly #left = new Map<string, StartingPath>()
  /** In bytes, by path. */
  readonly #sizes = new Map<string, number>()
  #taken = 0
  #isFresh = true

  constructor(root: string, contents: Readonly<Record<string, KeptContent>>) {
    this.#root = root
    this.#contents = contents
  }

  /**
   * Puts the paths of one run as they were before it. A later run may have found something else than the one before it
   * left: the user works there too.
   *
   * @throws HermesError where they contradict each other, are too large, or cannot be written
   */
  place(paths: readonly StartingPath[]): void {
    // They may also have come by a queue.
    for (const found of paths) requireFitStart(found, this.#contents)
    for (const found of paths) if (found.left) this.#left.set(found.path, found)
    const made = paths.filter(({ path, kind }) => path !== '' && kind !== 'other')
    this.#requireRoom(made)
    try {
      if (this.#isFresh) this.#fill(made)
      else if (made.length > 0) this.#correct(made)
      this.#isFresh = false
    } catch (error) {
      if (!isNodeError(error)) throw error
      const isTwice = ['EEXIST', 'ENOTDIR', 'EISDIR'].includes(error.code)
      throw new HermesError(
        isTwice ? 'INVALID_TRANSCRIPT' : error.code,
        isTwice ? 'The starting files of the recording contradict each other'
          : `The starting files could not be put in place (${error.code})`,
        {
          hint: isTwice ? 'Record it again, or give --fixture DIR to start from.'
            : 'Look at the directory for temporary files, and whether its disk is full.',
          cause: error,
        },
      )
    }
  }

  /** Of each block why a difference says nothing; `undefined` where all it used is there. */
  async reasons(
    ran: readonly Ran[], registry: VerbRegistry, aliases: readonly string[],
  ): Promise<(string | undefined)[]> {
    if (this.#left.size === 0) return []
    return Promise.all(ran.map(async ({ asked, command }) => {
      if (!asked) return undefined
      const usesAll = command !== undefined || OUTSIDE_THE_STORE.has((await registry.load(asked.action))?.type ?? '')
      const used = [...this.#left.values()].filter(({ path, left }) => {
        if (left === 'belongs to git') return /git/i.test(command ?? asked.action)
        return usesAll || this.#names(asked.params, path, aliases)
      })
      if (used.length === 0) return undefined
      const named = used.slice(0, MOST_NAMED).map(({ path, left }) => `${path === '' ? 'a path' : path} ${left}`)
      return [...named, ...(used.length > MOST_NAMED ? [`${used.length - MOST_NAMED} more`] : [])].join(', ')
    }))
  }

  /** Whether parameters name a path, or a directory that it is in. */
  #names(params: Record<string, unknown>, path: string, aliases: readonly string[]): boolean {
    if (path === '' || typeof params['path'] === 'undefined') return true
    return textsIn(params).some((text) => {
      if (text.includes(path)) return true
      const alias = [this.#root, ...aliases].find((one) => text === one || text.startsWith(`${one}/`))
      const below = (alias === undefined ? text : text.slice(alias.length)).replace(/^(?:\.?\/)+|\/+$|^\.$/g, '')
      return below === '' || path.startsWith(`${below}/`)
    })
  }

  #requireRoom(paths: readonly StartingPath[]): void {
    for (const { path, sha256 } of paths) {
      const content = sha256 === undefined ? undefined : this.#contents[sha256]
      if (content === undefined || this.#reserve(path, lengthOf(content))) continue
      throw new HermesError('INVALID_TRANSCRIPT', 'The starting files of the recording take more than 1 GiB', {
        hint: 'Give --fixture DIR to start from.',
      })
    }
  }

  /** @returns whether there is room for it */
  #reserve(path: string, size: number): boolean {
    const taken = this.#taken - (this.#sizes.get(path) ?? 0) + size
    if (taken > MOST_PLACED) return false
    this.#taken = taken
    this.#sizes.set(path, size)
    return true
  }

  /** Nobody else works there yet: directories first, and links last, so that nothing is written through one. */
  #fill(paths: readonly StartingPath[]): void {
    const at = (path: string): string => join(this.#root, path)
    const made = paths.filter(({ kind }) => kind !== 'absent')
    for (const { path, kind } of made) {
      mkdirSync(kind === 'directory' ? at(path) : dirname(at(path)), { recursive: true })
    }
    for (const found of made) {
      if (found.kind !== 'file') continue
      writeFileSync(at(found.path), this.#contentOf(found) ?? '', { flag: 'wx' })
      const { size = 0, mode = 0o644, sha256 } = found
      if (sha256 === undefined && this.#hasStandIn(found)) truncateSync(at(found.path), size)
      chmodSync(at(found.path), mode)
    }
    for (const { path, kind, target } of made) {
      if (kind === 'link' && target !== undefined) symlinkSync(target, at(path))
    }
    for (const { path, kind, mode = 0o755 } of made) if (kind === 'directory') chmodSync(at(path), mode | 0o700)
  }

  /** Commands of the run before may still work there: each path is reached without following links. */
  #correct(paths: readonly StartingPath[]): void {
    const gate = createPathGate({ root: this.#root, forUser: true })
    const files = new DiskFiles()
    for (const found of paths) {
      const approved = (access: PathAccess): ApprovedPath => gate.approve(join(this.#root, found.path), access)
      const there = files.lstat(approved('list'))
      if (found.kind === 'absent') {
        if (there?.kind === 'file' || there?.kind === 'link') files.remove(approved('remove'))
      } else if (found.kind === 'directory' && !there) files.makeDirectories(approved('write'))
      if (found.kind === 'link' && found.target !== undefined && !there) {
        const { target } = found
        inParent(approved('list'), 'symlink', (held) => symlinkSync(target, diskPath(held)))
      }
      const content = this.#contentOf(found)
        ?? (!there && this.#hasStandIn(found) ? Buffer.alloc(found.size ?? 0) : undefined)
      if (content === undefined || there?.kind === 'directory' || there?.kind === 'link') continue
      const path = approved('write')
      const isSame = there?.kind === 'file' && there.size === content.length
        && content.equals(files.readBytes(path, content.length))
      if (!isSame) {
        files.makeDirectories(gate.approve(dirname(path), 'write'))
        files.write(path, content)
      }
      files.setExecutable(path, ((found.mode ?? 0) & 0o100) !== 0)
    }
  }

  /** Whether a file of its size stands in for one whose content is not kept. */
  #hasStandIn({ path, kind, size = 0 }: StartingPath): boolean {
    return kind === 'file' && size <= MOST_STAND_IN && this.#reserve(path, size)
  }

  #contentOf({ sha256 }: StartingPath): Buffer | undefined {
    const content = sha256 === undefined ? undefined : this.#contents[sha256]
    return content && bytesOfContent(content)
  }
}

function lengthOf(content: KeptContent): number {
  return 'text' in content ? Buffer.byteLength(content.text) : Buffer.byteLength(content.base64, 'base64')
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
