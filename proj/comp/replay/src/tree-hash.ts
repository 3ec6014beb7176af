import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TreeDifference } from './model.js'

/** What git and hermes keep for themselves is no part of a tree. */
const LEFT_OUT = ['.hermes', '.git']
const MOST_SHOWN_BYTES = 256 * 1024

/**
 * Each path of a tree, from its root and with `/`, and what is there: kind, whether it is executable, and its hash.
 *
 * @param leftOut names that are passed over wherever they stand
 */
export async function readTree(root: string, leftOut: readonly string[] = LEFT_OUT): Promise<Map<string, string>> {
  const tree = new Map<string, string>()
  await addTo({ tree, leftOut }, root, '')
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `sha256:` and the SHA-256 over the lines `entry path` of the tree, in the order of their bytes. */
export function hashOfTree(tree: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [path, entry] of tree) hash.update(`${entry} ${path}\n`)
  return `sha256:${hash.digest('hex')}`
}

/** What differs between an expected directory and the one that is there. */
export async function compareTrees(expected: string, actual: string): Promise<TreeDifference[]> {
  const [before, after] = await Promise.all([readTree(expected), readTree(actual)])
  const differences: TreeDifference[] = []
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    if (before.get(path) === after.get(path)) continue
    const kind = !after.has(path) ? 'missing' : !before.has(path) ? 'unexpected' : 'changed'
    const texts = kind === 'changed' ? await Promise.all([textAt(join(expected, path)), textAt(join(actual, path))])
      : []
    const [old, now] = texts
    differences.push({ path, kind, ...(old !== undefined && now !== undefined && old !== now && { expected: old, actual: now }) })
  }
  return differences
}

interface Reading {
  tree: Map<string, string>
  leftOut: readonly string[]
}

async function addTo(reading: Reading, directory: string, below: string): Promise<void> {
  const { tree, leftOut } = reading
  const entries = await readdir(directory, { withFileTypes: true })
  for (const entry of entries) {
    if (leftOut.includes(entry.name)) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    const full = join(directory, entry.name)
    if (entry.isDirectory()) {
      const size = tree.size
      await addTo(reading, full, path)
      if (tree.size === size) tree.set(path, 'directory')
    } else if (entry.isSymbolicLink()) tree.set(path, `link ${await readlink(full)}`)
    else if (entry.isFile()) {
      const { mode } = await lstat(full)
      tree.set(path, `${(mode & 0o100) === 0 ? 'file' : 'program'} ${await hashOfFile(full)}`)
    } else tree.set(path, 'other')
  }
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function textAt(path: string): Promise<string | undefined> {
  const stat = await lstat(path)
  if (!stat.isFile() || stat.size > MOST_SHOWN_BYTES) return undefined
  const bytes = await readFile(path)
  return bytes.includes(0) ? undefined : bytes.toString('utf8')
}
