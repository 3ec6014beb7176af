import * as v from 'valibot'
import { HermesError, parseJson } from '../../../0-contracts/src/index.js'
import { isContentAddress } from './content-address.js'

/** Directories that are never part of a tree: on another host they would make git or hermes run programs. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hermes'])
export const MOST_ENTRIES = 200_000
const MOST_PATH = 4096

const path = v.pipe(
  v.string(), v.minLength(1), v.maxLength(MOST_PATH), v.check(isInner, 'a path that leads out of the tree'),
)
const mode = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0o777))
const size = v.pipe(v.number(), v.integer(), v.minValue(0))

const ENTRY = v.variant('kind', [
  v.strictObject({ kind: v.literal('file'), path, mode, size, content: v.pipe(v.string(), v.check(isContentAddress)) }),
  v.strictObject({ kind: v.literal('directory'), path, mode }),
  v.strictObject({ kind: v.literal('link'), path, target: v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_PATH)) }),
])
const MANIFEST = v.strictObject({ version: v.literal(1), entries: v.pipe(v.array(ENTRY), v.maxLength(MOST_ENTRIES)) })

/** A tree as a list of entries, directories before their contents; contents of files are stored separately. */
export type TreeManifest = v.InferOutput<typeof MANIFEST>
export type TreeEntry = TreeManifest['entries'][number]

/**
 * Reads an untrusted manifest: every path stays within the tree, none passes through a link, and none is there twice.
 *
 * @throws HermesError `CORRUPT_CONTENT`
 */
export function readManifest(content: Buffer): TreeManifest {
  const { success, output } = v.safeParse(MANIFEST, parseJson(content.toString('utf8')))
  if (!success) throw corrupt('is no list of files')
  const directories = new Set([''])
  const seen = new Set<string>()
  for (const { kind, path: at } of output.entries) {
    const parent = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : ''
    if (!directories.has(parent) || seen.has(at)) throw corrupt('has a path twice, or without its directory')
    seen.add(at)
    if (kind === 'directory') directories.add(at)
  }
  return output
}

/** Total size of its files, by the manifest. */
export function treeBytes({ entries }: TreeManifest): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.size : 0), 0)
}

/** The error for a file whose size differs from the manifest. */
export function wrongSize(): HermesError {
  return corrupt('has a file of another size than it says')
}

/** Why a path is not allowed in a manifest; `undefined` if it is. */
export function unfitPath(at: string): string | undefined {
  return unfitTarget(at) ?? (isInner(at) ? undefined : 'not portable: a name has a backslash')
}

/** The same for the target of a link. */
export function unfitTarget(target: string): string | undefined {
  if (target === '' || target.length > MOST_PATH) return `not 1 to ${MOST_PATH} characters long`
  return target.includes('\ufffd') ? 'no valid UTF-8' : undefined
}

function isInner(written: string): boolean {
  return !written.includes('\0') && !written.includes('\\') && written.split('/').every((name) => (
    name !== '' && name !== '.' && name !== '..' && !LEFT_OUT.has(name.toLowerCase())
  ))
}

function corrupt(what: string): HermesError {
  return new HermesError('CORRUPT_CONTENT', `A workspace from the store ${what}`, {
    hint: 'Begin the replay again with the same version of hermes as its workers.',
  })
}
