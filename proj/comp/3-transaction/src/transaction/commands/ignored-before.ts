import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import { diskPath } from '../../../../2-files/src/index.js'
import { nulEnded, nulNames } from '../../../../2-git/src/index.js'
import { readSaved } from '../../journal/index.js'
import type { Candidate } from '../commit/commit-paths.js'
import type { CommitRequest } from '../commit/commit-request.js'
import type { GitEntries } from './git-entries.js'
import { parentsOf } from './known-commands.js'
import { movedFrom, movesIn } from '../undo/moved-names.js'
import type { Repository } from '../repository.js'
import type { StartEntries } from '../run-start.js'

const RULES = '.gitignore'

interface Found {
  candidates: ReadonlyMap<string, Candidate>
  entries: GitEntries
  start: StartEntries
  /** Names that are ignored by the present rules. */
  ignored: ReadonlySet<string>
}

/**
 * Files that git ignored before the run and would add now, since the run changed the rules or moved the files. They may
 * hold secrets, and nobody agreed to commit them.
 *
 * @param names that are not in HEAD
 */
export async function ignoredBefore(
  repository: Repository, request: CommitRequest, names: readonly string[],
  { candidates, entries, start, ignored }: Found,
): Promise<Set<string>> {
  if (names.length === 0 || request.reversal) return new Set()
  const moves = movesIn([...request.movedDirectories, ...request.movedFiles], (path) => repository.pathOf(path))
  const origins = new Map(names.map((name) => [name, movedFrom(name, moves)]))
  const stood = [...new Set(origins.values())].filter((name) => (
    !entries.committed.has(name) && start.staged(name) === undefined && candidates.get(name)?.before.kind !== 'absent'
  ))
  const byOldRules = await ignoredByOldRules(repository, request, stood, candidates)
  const was = (name: string): boolean => (
    byOldRules.has(name) || (candidates.get(name)?.before.kind !== 'absent' && ignored.has(name))
  )
  return new Set(names.filter((name) => {
    const origin = origins.get(name) ?? name
    return start.wasIgnored(name) || start.wasIgnored(origin) || was(origin)
  }))
}

/** Git reads ignore rules from a work tree: here from a temporary one with only the old rules. */
async function ignoredByOldRules(
  repository: Repository, { runId, journal }: CommitRequest, names: readonly string[],
  candidates: ReadonlyMap<string, Candidate>,
): Promise<Set<string>> {
  const changed = [...candidates].filter(([name]) => basename(name) === RULES)
  if (names.length === 0 || changed.length === 0) return new Set()
  const old = new Map(changed.map(([name, { before, source }]) => {
    if (before.kind !== 'file') return [name, undefined]
    const isSaved = before.at !== undefined
    return [name, isSaved ? readSaved(journal, before) : contentOf(source ?? join(repository.top, name))]
  }))
  const tree = join(repository.gitDirectory, `hermes-rules-${runId}`)
  try {
    const places = new Set(['', ...names.flatMap((name) => parentsOf(name).map((parent) => `${parent}/`))])
    mkdirSync(tree)
    for (const place of places) {
      const name = `${place}${RULES}`
      const content = old.has(name) ? old.get(name) : contentOf(join(repository.top, name))
      if (content === undefined) continue
      mkdirSync(diskPath(dirname(join(tree, name))), { recursive: true })
      writeFileSync(diskPath(join(tree, name)), content)
    }
    const { exitCode, stdout } = await repository.try(['-C', tree, 'check-ignore', '--no-index', '-z', '--stdin'], {
      env: { GIT_DIR: repository.gitDirectory, GIT_WORK_TREE: tree }, input: nulEnded(names),
    })
    return new Set(exitCode === 0 ? nulNames(stdout) : [])
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

/** Git does not follow links to ignore files. */
function contentOf(file: string): Uint8Array | undefined {
  return orNothing(() => lstatSync(diskPath(file)).isFile() ? readFileSync(diskPath(file)) : undefined, undefined)
}
