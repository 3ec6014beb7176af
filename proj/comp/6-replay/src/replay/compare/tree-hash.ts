import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { bytePath, nameOf, nameText } from './byte-names.js'
import type { TreeDifference } from '../replay-model.js'

/** Directories of git and hermes, which do not count as part of a tree. */
const LEFT_OUT = ['.hermes', '.git']
const MOST_SHOWN_BYTES = 256 * 1024

export interface ReadTreeOptions {
  /** Names to skip at any depth. */
  leftOut?: readonly string[]
  /** Whether to include permissions of files and directories, in octal. */
  modes?: boolean
}

/**
 * Reads a tree: by path (relative, with `/`) its kind, whether it is executable, and its hash. Names are escaped as in
 * `nameText`.
 */
export async function readTree(
  root: string, { leftOut = LEFT_OUT, modes = false }: ReadTreeOptions = {},
): Promise<Map<string, string>> {
  const tree = new Map<string, string>()
  await addTo({ tree, leftOut, modes }, Buffer.from(root), '')
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `sha256:` and the SHA-256 over the tree's lines `entry path`, sorted by name. */
export function hashOfTree(tree: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [path, entry] of tree) hash.update(`${entry} ${path}\n`)
  return `sha256:${hash.digest('hex')}`
}

/** The differences between an expected directory and the actual one. */
export async function compareTrees(expected: string, actual: string): Promise<TreeDifference[]> {
  const [before, after] = await Promise.all([readTree(expected), readTree(actual)])
  const differences: TreeDifference[] = []
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    if (before.get(path) === after.get(path)) continue
    const kind = !after.has(path) ? 'missing' : !before.has(path) ? 'unexpected' : 'changed'
    const [old, now] = kind === 'changed'
      ? await Promise.all([textAt(bytePath(expected, nameOf(path))), textAt(bytePath(actual, nameOf(path)))])
      : []
    differences.push({
      path, kind, ...(old !== undefined && now !== undefined && old !== now && { expected: old, actual: now }),
    })
  }
  return differences
}

interface Reading {
  tree: Map<string, string>
  leftOut: readonly string[]
  modes: boolean
}

async function addTo(reading: Reading, directory: Buffer, below: string): Promise<void> {
  const { tree, leftOut, modes } = reading
  for (const entry of await readdir(directory, { withFileTypes: true, encoding: 'buffer' })) {
    const name = nameText(entry.name)
    if (leftOut.includes(name)) continue
    const path = below === '' ? name : `${below}/${name}`
    const full = bytePath(directory, entry.name)
    if (entry.isDirectory()) {
      const size = tree.size
      await addTo(reading, full, path)
      if (modes || tree.size === size) tree.set(path, modes ? `directory ${await permissions(full)}` : 'directory')
    } else if (entry.isSymbolicLink()) tree.set(path, `link ${await targetOf(full)}`)
    else if (entry.isFile()) {
      const kind = modes ? `file ${await permissions(full)}`
        : ((await lstat(full)).mode & 0o100) === 0 ? 'file' : 'program'
      tree.set(path, `${kind} ${await hashOfFile(full)}`)
    } else tree.set(path, 'other')
  }
}

async function permissions(path: Buffer): Promise<string> {
  return ((await lstat(path)).mode & 0o7777).toString(8)
}

/** A link's target without spaces, so that it can be told apart from the path after it. */
async function targetOf(link: Buffer): Promise<string> {
  return nameText(await readlink(link, { encoding: 'buffer' })).replaceAll(' ', String.raw`\x20`)
}

async function hashOfFile(path: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function textAt(path: Buffer): Promise<string | undefined> {
  const stat = await lstat(path)
  if (!stat.isFile() || stat.size > MOST_SHOWN_BYTES) return undefined
  const bytes = await readFile(path)
  return bytes.includes(0) ? undefined : bytes.toString('utf8')
}
