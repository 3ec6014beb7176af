import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { HermesError } from '../../../0-contracts/src/index.js'
import { requireSize, type ContentStore } from './content-store.js'
import { LEFT_OUT, MOST_ENTRIES, unfitPath, unfitTarget, type TreeEntry, type TreeManifest } from './tree-manifest.js'

/** Number of files to read and send at a time. */
const AT_A_TIME = 8

/**
 * Stores a directory: the content of each file, and a manifest with paths, modes and links. Links are kept as links;
 * `.git` and `.hermes` are left out.
 *
 * @param most entries allowed
 * @returns address of the manifest; equal trees have equal addresses
 * @throws HermesError where it cannot be read or stored; `INVALID_OPTION`, before anything is sent, for too many
 *   entries, names that a manifest cannot have, or anything but files, directories and links
 */
export async function packTree(directory: string, store: ContentStore, most = MOST_ENTRIES): Promise<string> {
  const files: (() => Promise<TreeEntry>)[] = []
  const entries: (TreeEntry | number)[] = []
  for await (const entry of entriesOf(directory, '', store, files)) {
    if (entries.push(entry) > most) {
      throw new HermesError(
        'INVALID_OPTION', `${directory} has more than ${most} files and directories`,
        { hint: 'Leave some out, or pack them into archives.' },
      )
    }
  }
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

/** Entries in order of their names; a file is given as an index into `files`. */
async function* entriesOf(
  directory: string, below: string, store: ContentStore, files: (() => Promise<TreeEntry>)[],
): AsyncGenerator<TreeEntry | number, void> {
  const entries = await readdir(join(directory, below), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (LEFT_OUT.has(entry.name.toLowerCase())) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const full = join(directory, path)
    const unfit = unfitPath(path)
    if (unfit !== undefined) throw new HermesError(
      'INVALID_OPTION', `The path ${full} is ${unfit}`, { hint: 'Rename it, or leave it out of the workspace.' },
    )
    if (entry.isDirectory()) {
      const { mode } = await lstat(full)
      yield { kind: 'directory', path, mode: mode & 0o777 }
      yield* entriesOf(directory, path, store, files)
    } else if (entry.isSymbolicLink()) yield linkTo(await readlink(full), path, full)
    else if (entry.isFile()) {
      yield files.push(async () => {
        const { mode, size } = await lstat(full)
        requireSize(size, path)
        const content = await readFile(full)
        return { kind: 'file', path, mode: mode & 0o777, size: content.length, content: await store.put(content) }
      }) - 1
    } else {
      throw new HermesError(
        'INVALID_OPTION', `${full} is neither a file, a directory nor a link`,
        { hint: 'Leave it out of the workspace.' },
      )
    }
  }
}

function linkTo(target: string, path: string, full: string): TreeEntry {
  const unfit = unfitTarget(target)
  if (unfit === undefined) return { kind: 'link', path, target }
  throw new HermesError(
    'INVALID_OPTION', `The target of the link ${full} is ${unfit}`, { hint: 'Leave it out of the workspace.' },
  )
}
