import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../../2-files/src/index.js'
import { removeIndex, saveRawCopies, type Repository } from '../transaction/index.js'
import { nulEnded, nulFields } from '../../../2-git/src/index.js'
import { AS_IT_IS, commitFor, gitOn } from './work-index.js'

/**
 * Commits, without any filter, the files that git would not restore byte for byte, since filters drop something or line
 * endings are mixed.
 *
 * @param paths of regular files
 * @param index path of a temporary index
 * @returns `undefined` where there are no such files
 */
export async function saveRaw(
  repository: Repository, paths: readonly string[], index: string, message: string,
): Promise<string | undefined> {
  const git = gitOn(repository, index)
  const start = async (): Promise<void> => {
    removeIndex(index)
    await git(['read-tree', '--empty'])
  }
  await start()
  await git([...AS_IT_IS, 'update-index', '-z', '--add', '--stdin'], nulEnded(paths))
  const copies = Object.entries(await saveRawCopies(repository, await git(['write-tree'])))
  if (copies.length === 0) return undefined
  await start()
  await git(
    ['update-index', '-z', '--index-info'], nulEnded(copies.map(([path, object]) => `100644 ${object}\t${path}`)),
  )
  return commitFor(repository, await git(['write-tree']), [], message)
}

/**
 * Restores those files; call it once git has written its files, and its index is final.
 *
 * @param raw the commit of `saveRaw`
 */
export async function restoreRaw(repository: Repository, raw: string): Promise<void> {
  const { exitCode, stdout } = await repository.try(['ls-tree', '-r', '-z', '--full-tree', raw])
  // There were no such files.
  if (exitCode !== 0) return
  const written = new Set<string>()
  for (const line of nulFields(stdout)) {
    const [, , object = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    const path = line.slice(line.indexOf('\t') + 1)
    const file = join(repository.top, path)
    const content = await repository.run(['cat-file', 'blob', object], { maxOutputBytes: Number.MAX_SAFE_INTEGER })
    if (content.equals(readFileSync(file))) continue
    writeWhole(file, content)
    written.add(path)
  }
  if (written.size === 0) return
  // Git takes a file whose size is not the recorded one for changed, without comparing; so clear the recorded sizes.
  const entries = nulFields(
    await repository.run(['ls-files', '--stage', '-z'], { maxOutputBytes: Number.MAX_SAFE_INTEGER }),
  )
  const own = entries.filter(entry => written.has(entry.slice(entry.indexOf('\t') + 1)))
  await repository.run(['update-index', '-z', '--index-info'], { input: nulEnded(own) })
}
