import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import { bytesOfName } from '../../../../0-text/src/index.js'
import { diskPath } from '../../../../2-files/src/index.js'
import { nulEnded, nulNames } from '../../../../2-git/src/index.js'
import { readInventory, saveInventory } from './command-inventory.js'
import type { Repository } from '../repository.js'
import { compareAll, treeEntries } from './tree-snapshot.js'

/** Largest file to save byte for byte, in bytes; larger ones are restored as git checks them out. */
const MOST_BYTES = 64 * 1024 ** 2
/** Longest list to take from git, in bytes. */
const MOST_LISTED_BYTES = 1024 ** 3
const ATTRIBUTES = ['filter', 'ident', 'working-tree-encoding', 'text', 'eol', 'crlf'] as const
const NOT_GIVEN = new Set(['unspecified', 'unset'])

/** How git converts a file between disk and tree. */
interface Conversion {
  path: string
  object: string
  /** More than line endings: a filter, `ident`, an encoding. */
  isFiltered: boolean
  /** Git writes CRLF line endings. */
  hasCarriageReturns: boolean
}

/**
 * Saves, as git objects, the bytes of those files of a snapshot that a checkout would change: not every filter is
 * reversible (one may drop the output in a notebook), and line endings may differ from those git writes.
 *
 * @param tree of the snapshot
 * @returns by path below the top, the ids of the contents
 */
export async function saveRawCopies(repository: Repository, tree: string): Promise<Record<string, string>> {
  const conversions = await conversionsOf(repository, tree)
  const sizes = await sizesOf(repository, conversions.filter(({ isFiltered, hasCarriageReturns }) => (
    !isFiltered && !hasCarriageReturns
  )))
  const saved = conversions.filter((conversion) => {
    const path = diskPath(join(repository.top, conversion.path))
    const stats = orNothing(() => lstatSync(path, { throwIfNoEntry: false }), undefined)
    // Files whose size in the tree was not asked for, filtered or with CRLF, are always saved.
    // Conversion to git only shortens line endings, so an equal size means equal content.
    return stats?.isFile() && stats.size <= MOST_BYTES && sizes.get(conversion.object) !== stats.size
  }).map(({ path }) => path)
  if (saved.length === 0) return {}
  const output = await repository.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], {
    input: bytesOfName(`${saved.join('\n')}\n`),
  })
  const objects = output.toString('utf8').split('\n')
  return Object.fromEntries(saved.map((path, index) => [path, objects[index] ?? '']))
}

/**
 * For a run that died: corrects its copies after the commands. Where both trees agree, what is on disk now may be
 * someone else's; it counts as unchanged, with the copy from before.
 *
 * @param directory of the run's journal
 */
export async function correctRawCopies(
  repository: Repository, directory: string, { first, last }: { first: string; last: string },
): Promise<void> {
  const after = readInventory(directory, 'after')
  const old = readInventory(directory, 'before')?.raw ?? {}
  if (!after || (after.raw === undefined && Object.keys(old).length === 0)) return
  const changed = new Set((await compareAll(repository, first, last)).map(({ path }) => path))
  const isChanged = ([path]: [string, string]): boolean => changed.has(path)
  const raw = Object.fromEntries([
    ...Object.entries(after.raw ?? {}).filter(isChanged), ...Object.entries(old).filter((copy) => !isChanged(copy)),
  ])
  saveInventory(directory, 'after', { ...after, raw }, true)
}

async function conversionsOf(repository: Repository, tree: string): Promise<Conversion[]> {
  // Git reads a path as one line of its input; a leading quote would begin an escaped name.
  const entries = [...await treeEntries(repository, tree)].filter(([path, { mode }]) => (
    mode.startsWith('100') && !path.includes('\n') && !path.startsWith('"')
  ))
  const fields = nulNames(await repository.run(['check-attr', '-z', '--stdin', ...ATTRIBUTES], {
    input: nulEnded(entries.map(([path]) => path)), maxOutputBytes: MOST_LISTED_BYTES,
  }))
  const { exitCode, stdout } = await repository.try(['config', '--get', 'core.autocrlf'])
  const autocrlf = exitCode === 0 ? stdout.toString('utf8').trim().toLowerCase() : 'false'
  const writesCrlf = autocrlf !== 'false' && autocrlf !== 'input'
  const conversions: Conversion[] = []
  for (const [index, [path, { object }]] of entries.entries()) {
    const values = ATTRIBUTES.map((_, at) => fields[(index * ATTRIBUTES.length + at) * 3 + 2])
    const [filter = '', ident, encoding = '', text = '', eol = '', crlf = ''] = values
    // Git LFS restores files exactly; copies of them would be large.
    const hasFilter = !NOT_GIVEN.has(filter) && filter !== 'lfs'
    const isFiltered = hasFilter || ident === 'set' || !NOT_GIVEN.has(encoding)
    const hasTextAttribute = [text, eol, crlf].some((value) => !NOT_GIVEN.has(value))
    const isText = text !== 'unset' && (autocrlf !== 'false' || hasTextAttribute)
    const hasCarriageReturns = eol === 'crlf' || (eol !== 'lf' && writesCrlf)
    if (isFiltered || isText) conversions.push({ path, object, isFiltered, hasCarriageReturns })
  }
  return conversions
}

async function sizesOf(repository: Repository, files: readonly Conversion[]): Promise<Map<string, number>> {
  if (files.length === 0) return new Map()
  const output = await repository.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: files.map(({ object }) => `${object}\n`).join(''), maxOutputBytes: MOST_LISTED_BYTES,
  })
  return new Map(output.toString('utf8').trim().split('\n').map((line) => {
    const [object = '', size] = line.split(' ')
    return [object, Number(size)]
  }))
}
