import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, isNodeError, type ApprovedPath, type PathAccess } from '../../../0-contracts/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { OUTSIDE_THE_STORE } from '../../../5-executor/src/index.js'
import {
  createPathGate, denialOf, DiskFiles, diskPath, inParent, readLink, removeTree,
} from '../../../2-files/src/index.js'
import {
  bytesOfContent, requireFitStart, type KeptContent, type StartingPath,
} from '../../../2-transcripts/src/index.js'
import type { Comparison } from './compare/compare.js'
import { lackedByProgram, lackedByVerb, textsIn, type Lacking } from './lacking-start.js'
import type { Ran } from './run-step.js'

/**
 * Largest file, in bytes, for which a stand-in of equal size is made if its content was not recorded, so that listings
 * match.
 */
const MOST_STAND_IN = 16 << 20
/** Most bytes that all files of one transcript take: one content may be placed at any number of paths. */
const MOST_PLACED = 1 << 30

/** Restores in a workspace the files that the recorded runs started from. */
export class StartingPlace {
  /** Paths whose content was not recorded, with the reason. */
  readonly #left = new Map<string, StartingPath>()
  /** Sizes in bytes, by path. */
  readonly #sizes = new Map<string, number>()
  #taken = 0
  #isFresh = true

  constructor(private readonly root: string, private readonly contents: Readonly<Record<string, KeptContent>>) {}

  /**
   * Restores the paths of one run to their state before it. They may differ from what the previous run left, since the
   * user works there too.
   *
   * @throws HermesError where they contradict each other, are too large, or cannot be written
   */
  place(paths: readonly StartingPath[]): void {
    // They may also have come through a queue, so check again.
    for (const path of paths) requireFitStart(path, this.contents)
    for (const path of paths) if (path.left) this.#left.set(path.path, path)
    const made = paths.filter(({ path, kind }) => path !== '' && kind !== 'other')
    this.#requireRoom(made)
    try {
      if (this.#isFresh) this.#fill(made)
      else {
        this.#remove(paths)
        this.#correct(made)
      }
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

  /** For each block, a function that judges a difference; `undefined` where nothing was left out. */
  async lacking(
    ran: readonly Ran[], registry: VerbRegistry, aliases: readonly string[],
  ): Promise<(((difference: Comparison) => Lacking) | undefined)[]> {
    if (this.#left.size === 0) return []
    const left = [...this.#left.values()]
    return Promise.all(ran.map(async ({ asked, command }) => {
      if (!asked) return undefined
      if (command !== undefined || OUTSIDE_THE_STORE.has((await registry.load(asked.action))?.type ?? '')) {
        const text = command ?? [asked.action, ...textsIn(asked.params)].join(' ')
        return (difference) => lackedByProgram(text, left, difference)
      }
      const used = left.filter(({ path, left: why }) => (
        why === 'belongs to git' ? /git/i.test(asked.action) : this.#names(asked.params, path, aliases)
      ))
      return () => lackedByVerb(used)
    }))
  }

  /** Whether parameters name a path, or a directory that contains it. */
  #names(params: Record<string, unknown>, path: string, aliases: readonly string[]): boolean {
    if (path === '' || typeof params['path'] === 'undefined') return true
    return textsIn(params).some((text) => {
      if (text.includes(path)) return true
      const alias = [this.root, ...aliases].find((root) => text === root || text.startsWith(`${root}/`))
      const below = (alias === undefined ? text : text.slice(alias.length)).replace(/^(?:\.?\/)+|\/+$|^\.$/g, '')
      return below === '' || path.startsWith(`${below}/`)
    })
  }

  #requireRoom(paths: readonly StartingPath[]): void {
    for (const { path, sha256 } of paths) {
      const content = sha256 === undefined ? undefined : this.contents[sha256]
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

  /**
   * Fills a workspace that nothing else uses yet: directories first, links last, so that nothing is written through
   * one.
   */
  #fill(paths: readonly StartingPath[]): void {
    const at = (path: string): string | Buffer => diskPath(join(this.root, path))
    const made = paths.filter(({ kind }) => kind !== 'absent')
    // The directory of a missing path existed: else the recording would name the directory instead.
    for (const { path, kind } of paths) {
      mkdirSync(at(kind === 'directory' ? path : dirname(path)), { recursive: true })
    }
    for (const startingPath of made) {
      if (startingPath.kind !== 'file') continue
      writeFileSync(at(startingPath.path), this.#contentOf(startingPath) ?? '', { flag: 'wx' })
      const { size = 0, mode = 0o644, sha256 } = startingPath
      if (sha256 === undefined && this.#hasStandIn(startingPath)) truncateSync(at(startingPath.path), size)
      chmodSync(at(startingPath.path), mode)
    }
    for (const { path, kind, target } of made) {
      if (kind === 'link' && target !== undefined) symlinkSync(diskPath(target), at(path))
    }
    for (const { path, kind, mode = 0o755 } of made) if (kind === 'directory') chmodSync(at(path), mode | 0o700)
  }

  /**
   * Corrects paths between runs. Commands of the previous run may still be active, so paths are reached without
   * following links.
   */
  #correct(paths: readonly StartingPath[]): void {
    const gate = createPathGate({ root: this.root, forUser: true })
    const files = new DiskFiles()
    for (const entry of paths) {
      const approved = (access: PathAccess): ApprovedPath => gate.approve(join(this.root, entry.path), access)
      const there = files.lstat(approved('list'))
      if (entry.kind === 'directory' && !there) files.makeDirectories(approved('write'))
      if (entry.kind === 'absent') files.makeDirectories(gate.approve(dirname(join(this.root, entry.path)), 'write'))
      if (entry.kind === 'link' && entry.target !== undefined && !there) {
        const { target } = entry
        inParent(approved('list'), 'symlink', (held) => symlinkSync(diskPath(target), diskPath(held)))
      }
      const content = this.#contentOf(entry)
        ?? (!there && this.#hasStandIn(entry) ? Buffer.alloc(entry.size ?? 0) : undefined)
      if (content === undefined || there?.kind === 'directory' || there?.kind === 'link') continue
      const path = approved('write')
      const isSame = there?.kind === 'file' && there.size === content.length
        && content.equals(files.readBytes(path, content.length))
      if (!isSame) {
        files.makeDirectories(gate.approve(dirname(path), 'write'))
        files.write(path, content)
      }
      files.setExecutable(path, ((entry.mode ?? 0) & 0o100) !== 0)
    }
  }

  /**
   * Removes paths that did not exist, or were of another kind, and unknown entries of directories whose names are all
   * known.
   */
  #remove(paths: readonly StartingPath[]): void {
    const gate = createPathGate({ root: this.root, forUser: true })
    const files = new DiskFiles()
    const known = new Set(paths.flatMap(({ path }) => [...above(path), path]))
    // If a run used too many paths, not all names are known.
    const isWhole = !this.#left.has('')
    const remove = (path: string): void => {
      inParent(gate.approve(join(this.root, path), 'remove'), 'rm', removeTree)
    }
    for (const { path, kind, target, listed } of paths) {
      if (kind === 'other') continue
      for (const directory of above(path)) {
        const stat = files.lstat(gate.approve(join(this.root, directory), 'list'))
        if (stat && stat.kind !== 'directory') remove(directory)
      }
      const at = gate.approve(join(this.root, path), 'list')
      const there = path === '' ? undefined : files.lstat(at)
      if (there && (kind !== there.kind || (kind === 'link' && target !== readLink(at)))) remove(path)
      if (listed !== true || !isWhole || files.lstat(at)?.kind !== 'directory') continue
      for (const { name } of files.list(at)) {
        const below = path === '' ? name : `${path}/${name}`
        if (!known.has(below) && denialOf(`/${below}`, below, 'list') === undefined) remove(below)
      }
    }
  }

  /** Whether a stand-in of equal size represents a file whose content was not recorded. */
  #hasStandIn({ path, kind, size = 0 }: StartingPath): boolean {
    return kind === 'file' && size <= MOST_STAND_IN && this.#reserve(path, size)
  }

  #contentOf({ sha256 }: StartingPath): Buffer | undefined {
    const content = sha256 === undefined ? undefined : this.contents[sha256]
    return content && bytesOfContent(content)
  }
}

/** The directories that contain a path, from the root. */
function above(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

function lengthOf(content: KeptContent): number {
  return 'text' in content ? Buffer.byteLength(content.text) : Buffer.byteLength(content.base64, 'base64')
}
