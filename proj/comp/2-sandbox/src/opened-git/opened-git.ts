import { randomUUID } from 'node:crypto'
import {
  copyFileSync, existsSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync, statSync, unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { closing, fillFrom, isInside, replaceByTemp, stateDirectory } from '../../../2-files/src/index.js'
import { copyIndex, gitlinksIn, gitPlaces, keepIndexTime } from '../../../2-git/src/index.js'
import { isRunning } from '../../../2-processes/src/index.js'
import { committer } from '../git/git-hooks.js'
import { linkedRepositories } from '../kept-paths.js'
import type { Mount } from '../mounts.js'
import { isOpened, openedFiles, signatureOf, type GitPart, type Signature } from './git-files.js'
import { takeObjects } from './take-objects.js'

/** Where a command finds the objects that there were before. */
const OBJECTS = '/.git-objects'

/** One directory of git's own files, and the copy of it. */
interface Copied extends GitPart {
  copy: string
  /** Files of the directory, and of the copy, before the command. */
  before: ReadonlyMap<string, Signature>
  copied: ReadonlyMap<string, Signature>
}

/**
 * Git's own files, opened to one command. It works on a copy, in which all that makes git run programs is read-only;
 * what it did is looked at and taken over when it has ended. So nothing that it does there is seen before by the user's
 * git, which may run at any time, and nothing but what `isOpened` names ever comes out of it.
 */
export class OpenedGit {
  private constructor(
    private readonly scratch: string, private readonly parts: readonly Copied[], private readonly cwd: string,
    /** For git, which does not see the user's own configuration: who commits. */
    readonly env: Readonly<Record<string, string>>,
  ) {}

  /**
   * Whether there is something to open to a command.
   *
   * @param writable directories that commands may write
   */
  static isThere(cwd: string, writable: readonly string[]): boolean {
    return partsFor(cwd, writable).length > 0
  }

  /** @throws HermesError `POLICY_DENIED` where there is no repository that can be opened */
  static async open(verb: string, cwd: string, root: string, writable: readonly string[]): Promise<OpenedGit> {
    const parts = partsFor(cwd, writable)
    if (parts.length === 0) {
      throw new HermesError('POLICY_DENIED', `${verb}: there is no repository here that could be opened to a command`, {
        hint: 'Run it in the top directory of the work tree, which has to be the root or a directory of --allow.',
      })
    }
    const parent = stateDirectory(root, 'git')
    removeLeftBehind(parent)
    const scratch = join(parent, `${process.pid}-${randomUUID()}`)
    try {
      const copies = parts.map((part, index) => copied(part, join(scratch, String(index))))
      const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email } = await committer(cwd)
      return new OpenedGit(scratch, copies, cwd, name === undefined || email === undefined ? {} : {
        GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email,
      })
    } catch (error) {
      rmSync(scratch, { recursive: true, force: true })
      throw error
    }
  }

  /** In the place of what commands find of these directories otherwise. */
  get mounts(): Mount[] {
    return this.parts.flatMap(part => [
      { kind: 'write', at: part.directory, from: part.copy } as const,
      ...closedNames(part).map((name): Mount => (
        { kind: 'read', at: join(part.directory, name), from: join(part.directory, name) }
      )),
      ...(part.isOfRepository ? [{ kind: 'read', at: OBJECTS, from: join(part.directory, 'objects') } as const] : []),
    ])
  }

  /**
   * Takes over what the command did: its objects, then all files that it changed.
   *
   * @throws HermesError `CHANGED_ON_DISK` where another git changed one of these meanwhile; `POLICY_DENIED` for what no
   *   command may do. Then nothing was taken, unless the other git did so just now: the hint tells
   */
  async takeOver(): Promise<void> {
    const changes = this.parts.map(part => ({ part, paths: changedFiles(part) }))
    for (const { part, paths } of changes) {
      for (const path of paths) requireUnchanged(part, path)
      if (paths.includes('index')) requireNoRepositoryIn(part)
    }
    for (const part of this.parts.filter(({ isOfRepository }) => isOfRepository)) {
      await takeObjects(join(part.copy, 'objects'), join(part.directory, 'objects'), this.cwd)
    }
    for (const { part, paths } of changes) {
      const [gone, there] = split(paths, path => !existsSync(join(part.copy, path)))
      const [packed, others] = split(there, path => path === 'packed-refs')
      // A branch is never without its commit meanwhile, and HEAD and index come last: they name what the others hold.
      for (const path of packed) replace(part, path)
      for (const path of gone) remove(part, path)
      for (const path of others.toSorted(byWeight)) replace(part, path)
    }
  }

  dispose(): void {
    rmSync(this.scratch, { recursive: true, force: true })
  }
}

/** The directories of git's own files for the work tree that a command runs in. */
function partsFor(cwd: string, writable: readonly string[]): GitPart[] {
  const top = writable.filter(directory => isInside(directory, cwd) && existsSync(join(directory, '.git')))
    .toSorted((a, b) => b.length - a.length)[0]
  if (top === undefined || hasAnotherBetween(top, cwd)) return []
  const [own, shared = own] = gitPlaces(top).repositories
  if (own === undefined || shared === undefined) return []
  const parts: GitPart[] = own === shared ? [{ directory: own, isOfWorkTree: true, isOfRepository: true }] : [
    { directory: shared, isOfWorkTree: false, isOfRepository: true },
    { directory: own, isOfWorkTree: true, isOfRepository: false },
  ]
  const trusted = [join(top, '.git'), ...linkedRepositories([top]).map(({ at }) => at)]
  return parts.every(part => trusted.includes(part.directory) && isPlain(part)) ? parts : []
}

/** It runs in a repository of its own below. */
function hasAnotherBetween(top: string, cwd: string): boolean {
  for (let here = cwd; here !== top; here = dirname(here)) if (existsSync(join(here, '.git'))) return true
  return false
}

/** No part of it lies elsewhere. */
function isPlain(part: GitPart): boolean {
  const entries = orNothing(() => readdirSync(part.directory, { withFileTypes: true }), [])
  return entries.some(({ name }) => name === 'HEAD' || name === 'refs')
    && !entries.some(entry => entry.isSymbolicLink() && (entry.name === 'objects' || isOpened(entry.name, part)))
}

/** What is shown as it is, read-only. */
function closedNames(part: GitPart): string[] {
  return readdirSync(part.directory, { withFileTypes: true })
    .filter(entry => (entry.isFile() || entry.isDirectory()) && !entry.name.endsWith('.lock'))
    .map(({ name }) => name)
    .filter(name => !isOpened(name, part) && !(part.isOfRepository && name === 'objects'))
}

function copied(part: GitPart, copy: string): Copied {
  mkdirSync(copy, { recursive: true, mode: 0o700 })
  const before = openedFiles(part.directory, part)
  for (const path of before.keys()) {
    mkdirSync(join(copy, dirname(path)), { recursive: true })
    const copyOne = path === 'index' ? copyIndex : copyFileSync
    copyOne(join(part.directory, path), join(copy, path))
  }
  mkdirSync(join(copy, 'refs'), { recursive: true })
  // Each is mounted on something.
  for (const name of closedNames(part)) {
    if (statSync(join(part.directory, name)).isDirectory()) mkdirSync(join(copy, name))
    else writeFileSync(join(copy, name), '')
  }
  if (part.isOfRepository) {
    mkdirSync(join(copy, 'objects', 'info'), { recursive: true })
    mkdirSync(join(copy, 'objects', 'pack'))
    writeFileSync(join(copy, 'objects', 'info', 'alternates'), `${OBJECTS}\n`)
  }
  return { ...part, copy, before, copied: openedFiles(copy, part) }
}

function changedFiles(part: Copied): string[] {
  const now = openedFiles(part.copy, part)
  return [...new Set([...part.copied.keys(), ...now.keys()])].filter(path => part.copied.get(path) !== now.get(path))
}

function requireUnchanged({ directory, before }: Copied, path: string, isUnderWay = false): void {
  const file = join(directory, path)
  if (signatureOf(file) === before.get(path) && !existsSync(`${file}.lock`)) return
  throw new HermesError('CHANGED_ON_DISK', `git changed ${file} while the command ran, which changed it too`, {
    hint: `${isUnderWay ? 'Not all' : 'Nothing'} was taken over of what the command did to the repository: look at it, `
      + 'and run the command again.',
  })
}

/** Of a repository that is in the index, `git status` asks git itself there, with the settings that it has. */
function requireNoRepositoryIn({ directory, copy }: Copied): void {
  const known = new Set(gitlinksIn(join(directory, 'index')))
  const made = gitlinksIn(join(copy, 'index'), directory)?.filter(path => !known.has(path))
  if (made?.length === 0) return
  const what = made === undefined ? 'left an index of git that cannot be read'
    : `put a repository into the index of git: ${made.join(', ')}`
  throw new HermesError('POLICY_DENIED', `the command ${what}`, {
    hint: 'Nothing of git has changed. Leave it out (git add of the other paths); only the user adds submodules.',
  })
}

function byWeight(a: string, b: string): number {
  const weight = (path: string): number => ['HEAD', 'index'].indexOf(path)
  return weight(a) - weight(b) || (a < b ? -1 : 1)
}

function split<T>(all: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter(item => !isFirst(item))]
}

function remove(part: Copied, path: string): void {
  requireUnchanged(part, path, true)
  unlinkSync(join(part.directory, path))
  // Empty directories too, up to what git itself needs.
  for (let here = dirname(path); here.split('/').length > 2; here = dirname(here)) {
    if (orNothing(() => rmdirSync(join(part.directory, here)), 'kept') === 'kept') return
  }
}

function replace(part: Copied, path: string): void {
  const [source, target] = [join(part.copy, path), join(part.directory, path)]
  mkdirSync(dirname(target), { recursive: true })
  const mode = orNothing(() => statSync(target).mode & 0o777, 0o644)
  closing(openSync(source, 'r'), descriptor => (
    replaceByTemp(target, { mode, fill: fillFrom(descriptor), check: () => requireUnchanged(part, path, true) })
  ))
  if (path === 'index') keepIndexTime(source, target)
}

/** Copies of a hermes that was killed. */
function removeLeftBehind(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(name.split('-', 1)[0])
    // Another user's is in nobody's way.
    if (!isRunning(pid)) orNothing(() => rmSync(join(parent, name), { recursive: true, force: true }), undefined)
  }
}
