import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { HermesError } from '../../contracts/src/index.js'
import { requireSize, type ContentStore } from './content-store.js'
import { LEFT_OUT, type TreeEntry, type TreeManifest } from './tree-manifest.js'

/** Files that are read and sent at a time. */
const AT_A_TIME = 8

/**
 * Puts a directory into a store: the content of each file, and a manifest with paths, modes and links. Links are kept as
 * they are; `.git` and `.hermes` are left out.
 *
 * @returns the address of the manifest; the same tree has the same one
 * @throws HermesError where it cannot be read or kept, or holds something else than files, directories and links
 */
export async function packTree(directory: string, store: ContentStore): Promise<string> {
  const files: (() => Promise<TreeEntry>)[] = []
  const entries = await entriesOf(directory, '', store, files)
  const next = files.entries()
  const made = new Map<number, TreeEntry>()
  await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    for (const [index, make] of next) made.set(index, await make())
  }))
  const manifest: TreeManifest = {
    version: 1,
    entries: entries.map((entry) => {
      const whole = typeof entry === 'number' ? made.get(entry) : entry
      if (!whole) throw new Error('a file was not packed')
      return whole
    }),
  }
  return store.put(Buffer.from(JSON.stringify(manifest)))
}

/** In the order of their names; of a file the index of what makes it. */
async function entriesOf(
  directory: string, below: string, store: ContentStore, files: (() => Promise<TreeEntry>)[],
): Promise<(TreeEntry | number)[]> {
  const found = await readdir(join(directory, below), { withFileTypes: true })
  const entries: (TreeEntry | number)[] = []
  for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (LEFT_OUT.has(entry.name.toLowerCase())) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const full = join(directory, path)
    if (entry.isDirectory()) {
      const { mode } = await lstat(full)
      entries.push({ kind: 'directory', path, mode: mode & 0o777 }, ...await entriesOf(directory, path, store, files))
    } else if (entry.isSymbolicLink()) entries.push({ kind: 'link', path, target: await readlink(full) })
    else if (entry.isFile()) {
      entries.push(files.push(async () => {
        const { mode, size } = await lstat(full)
        requireSize(size, path)
        const content = await readFile(full)
        return { kind: 'file', path, mode: mode & 0o777, size: content.length, content: await store.put(content) }
      }) - 1)
    } else {
      throw new HermesError('INVALID_OPTION', `${full} is neither a file, a directory nor a link`, { hint: 'Leave it out of the workspace.' })
    }
  }
  return entries
}
