import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import { diskPath } from '../../../../2-files/src/index.js'
import { nulEnded, nulNames } from '../../../../2-git/src/index.js'
import type { Repository } from '../repository.js'

/**
 * Largest new file whose content git stores, in bytes; larger ones are known by signature only, as git takes a second
 * for each 80 MB.
 */
export const MOST_MADE_BYTES = 32 * 1024 ** 2
/** The same for untracked files that existed before; what a command does to a larger one cannot be undone. */
export const MOST_FOUND_BYTES = 1024 ** 3
/** A listing of a large work tree has about 100 bytes for each file. */
const MOST_LISTED_BYTES = 1024 ** 3

/** Signatures of large files by path below the top: they tell whether a file has changed, without reading it. */
export type LargeFiles = Record<string, string>

/**
 * Untracked files that are too large for git to read.
 *
 * @param env names the index of the snapshot
 * @param most largest file that git reads, in bytes
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

/** Adds the signatures to the index in place of the contents. */
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
