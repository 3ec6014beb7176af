import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import { diskPath } from '../../../../2-files/src/index.js'
import { nulEnded, nulNames } from '../../../../2-git/src/index.js'
import type { Repository } from '../repository.js'

/** What commands made larger is known by its signature alone, in bytes: git takes a second for each 80 MB. */
export const MOST_MADE_BYTES = 32 * 1024 ** 2
/** The same for untracked files that were there before: what a command then does to one cannot be put back. */
export const MOST_FOUND_BYTES = 1024 ** 3
/** The list of a large work tree has some 100 bytes a file. */
const MOST_LISTED_BYTES = 1024 ** 3

/** By path below the top: tells whether it is the same file with the same content, without reading it. */
export type LargeFiles = Record<string, string>

/**
 * The untracked files that git is not to read.
 *
 * @param env names the index of the snapshot
 * @param most bytes of a file that git reads
 */
export async function largeFiles(
  repository: Repository, env: { GIT_INDEX_FILE: string }, most: number,
): Promise<LargeFiles> {
  const listed = nulNames(await repository.run(['ls-files', '-z', '--others', '--exclude-standard'], {
    env, maxOutputBytes: MOST_LISTED_BYTES,
  }))
  return Object.fromEntries(listed.flatMap((path) => {
    const file = signatureAt(join(repository.top, path))
    return file !== undefined && file.size > most ? [[path, file.signature]] : []
  }))
}

/** @returns `undefined` where there is no file */
export function signatureOf(path: string): string | undefined {
  return signatureAt(path)?.signature
}

function signatureAt(path: string): { size: number; signature: string } | undefined {
  const stat = orNothing(() => lstatSync(diskPath(path), { throwIfNoEntry: false }), undefined)
  return stat?.isFile() ? { size: stat.size, signature: `${stat.size} ${stat.ino} ${stat.mtimeMs}` } : undefined
}

/** Puts the signatures into the index in the place of the contents. */
export async function addStandIns(
  repository: Repository, env: { GIT_INDEX_FILE: string }, files: LargeFiles,
): Promise<void> {
  const entries = await Promise.all(Object.entries(files).map(async ([path, signature]) => {
    const output = await repository.run(['hash-object', '-w', '--stdin'], { input: `hermes: not kept ${signature}\n` })
    return `100644 ${output.toString('utf8').trim()}\t${path}`
  }))
  if (entries.length === 0) return
  await repository.run(['update-index', '--add', '-z', '--index-info'], { env, input: nulEnded(entries) })
}
