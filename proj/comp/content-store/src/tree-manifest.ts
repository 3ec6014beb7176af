import * as v from 'valibot'
import { HermesError } from '../../contracts/src/index.js'
import { isContentAddress } from './content-address.js'

/** What git and hermes keep for themselves is no part of a tree: on another host it would run programs. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hermes'])
const MOST_ENTRIES = 200_000

const path = v.pipe(v.string(), v.minLength(1), v.maxLength(4096), v.check(isInner, 'a path that leads out of the tree'))
const mode = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0o777))
const size = v.pipe(v.number(), v.integer(), v.minValue(0))

const ENTRY = v.variant('kind', [
  v.strictObject({ kind: v.literal('file'), path, mode, size, content: v.pipe(v.string(), v.check(isContentAddress)) }),
  v.strictObject({ kind: v.literal('directory'), path, mode }),
  v.strictObject({ kind: v.literal('link'), path, target: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)) }),
])
const MANIFEST = v.strictObject({ version: v.literal(1), entries: v.pipe(v.array(ENTRY), v.maxLength(MOST_ENTRIES)) })

/** A tree as a list of what is in it, directories before what they hold; the content of files is apart. */
export type TreeManifest = v.InferOutput<typeof MANIFEST>
export type TreeEntry = TreeManifest['entries'][number]

/**
 * Reads a manifest that someone else wrote: every path stays in the tree, none passes through a link, and none stands twice.
 *
 * @throws HermesError `CORRUPT_CONTENT`
 */
export function readManifest(content: Buffer): TreeManifest {
  const { success, output } = v.safeParse(MANIFEST, parsed(content))
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

function isInner(written: string): boolean {
  return !written.includes('\0') && !written.includes('\\') && written.split('/').every((name) => (
    name !== '' && name !== '.' && name !== '..' && !LEFT_OUT.has(name.toLowerCase())
  ))
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function corrupt(what: string): HermesError {
  return new HermesError('CORRUPT_CONTENT', `A workspace from the store ${what}`, {
    hint: 'Begin the replay again with the same version of hermes as its workers.',
  })
}
