import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { valueAt } from '../../../../0-text/src/index.js'
import { diskPath } from '../../../../2-files/src/index.js'
import { nulNames } from '../../../../2-git/src/index.js'
import { ABSENT, captureState, isSameState, type FileState } from '../../journal/index.js'
import type { ChangedPath, CommitRequest } from './commit-request.js'
import { movedFrom, movedTo, movesIn } from '../undo/moved-names.js'
import type { Repository } from '../repository.js'

/** A path that a run changed and git may track. */
export interface Candidate extends ChangedPath {
  /** Absolute path of the file with the content of `before`, if that is not in the journal. */
  source?: string
  /** For a file in a moved directory: its previous name. */
  origin?: string
}

/**
 * Changed files and links, by git's names; those in nested repositories are left out.
 *
 * @param nested receives the absolute paths of the latter
 */
export async function candidatesOf(
  repository: Repository, request: CommitRequest, nested: string[],
): Promise<Map<string, Candidate>> {
  const isOwn = ownDirectories(repository.top)
  const candidates = new Map<string, Candidate>()
  for (const changed of request.changed) {
    const name = repository.pathOf(changed.path)
    const isFile = [changed.before, changed.after].some(({ kind }) => kind === 'file' || kind === 'link')
    if (name === undefined || !isFile || isSameState(changed.before, changed.after)) continue
    if (isOwn(dirname(changed.path))) candidates.set(name, changed)
    else nested.push(changed.path)
  }
  const along = await movedAlong(repository, request, candidates)
  for (const [name, candidate] of along) {
    if (isOwn(dirname(candidate.source ?? candidate.path))) candidates.set(name, candidate)
  }
  return candidates
}

/**
 * Each file in a moved directory, under its old and its new name. The journal only has files that the run itself
 * changed in it.
 */
async function movedAlong(
  repository: Repository, { movedDirectories, byCommands }: CommitRequest, known: ReadonlyMap<string, Candidate>,
): Promise<Map<string, Candidate>> {
  const moves = movesIn(movedDirectories, (path) => repository.pathOf(path))
  const candidates = new Map<string, Candidate>()
  if (moves.length === 0) return candidates
  const commanded = new Set(byCommands)
  const add = (old: string, name: string): void => {
    if (candidates.has(old) || known.has(old) || known.has(name)) return
    const [from, path] = [join(repository.top, old), join(repository.top, name)]
    const state = stateOf(path)
    candidates.set(old, { path: from, before: state, after: ABSENT, source: path })
    if (state.kind !== 'absent') candidates.set(name, { path, before: ABSENT, after: state, origin: old })
  }
  for (const old of await committedBelow(repository, moves.map(({ from }) => from))) add(old, movedTo(old, moves))
  for (const name of await untrackedBelow(repository, moves.map(({ to }) => to))) {
    const old = movedFrom(name, moves)
    // Created there by a command, since nothing had that name before.
    if (commanded.has(name) && !commanded.has(old)) continue
    add(old, name)
  }
  return candidates
}

function stateOf(path: string): FileState {
  const state = captureState(path)
  return state.kind === 'file' || state.kind === 'link' ? state : ABSENT
}

/** Committed files below some directories, without submodules; none on an unborn branch. */
async function committedBelow(repository: Repository, directories: readonly string[]): Promise<string[]> {
  const below = directories.map((directory) => `${directory}/`)
  const { exitCode, stdout } = await repository.try([
    '--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', 'HEAD', '--', ...below,
  ])
  if (exitCode !== 0) return []
  return nulNames(stdout).flatMap((line) => (line.startsWith('160000 ') ? [] : [line.slice(line.indexOf('\t') + 1)]))
}

async function untrackedBelow(repository: Repository, directories: readonly string[]): Promise<string[]> {
  const output = await repository.run([
    '--literal-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...directories,
  ])
  return nulNames(output).filter((name) => !name.endsWith('/'))
}

function ownDirectories(top: string): (directory: string) => boolean {
  const known = new Map<string, boolean>([[top, true]])
  const isOwn = (directory: string): boolean => valueAt(known, directory, () => (
    !existsSync(diskPath(join(directory, '.git'))) && isOwn(dirname(directory))
  ))
  return isOwn
}
