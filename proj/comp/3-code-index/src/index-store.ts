import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { HermesError, isNodeError } from '../../0-contracts/src/index.js'
import { stateDirectory, writeOwn } from '../../2-files/src/index.js'
import { DamagedIndex } from './bytes.js'
import { Segment } from './segment.js'

/** `base` holds most files, `delta` those that changed since it was written. */
export type Part = 'base' | 'delta'

const FILES: Readonly<Record<Part, string>> = { base: 'code.base', delta: 'code.delta' }
const SEAL = 'code.seal'
/** A larger file is not read, and none is written. */
export const MOST_INDEX_BYTES = 512 * 1024 * 1024

/**
 * Which files were written here: an index that came with the repository, or was put there by unpacking or copying, is
 * none of ours, and would say what it likes of files whose times it knows.
 */
const seal = v.record(v.string(), v.object({ device: v.string(), inode: v.string(), born: v.string() }))

/** @returns `undefined` where it is missing, damaged, too large, or not written here */
export function loadSegment(root: string, part: Part): Segment | undefined {
  const path = join(root, '.hermes', 'index', FILES[part])
  try {
    const known = readSeal(root)[FILES[part]]
    const found = known && lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size > MOST_INDEX_BYTES) return undefined
    if (JSON.stringify(known) !== JSON.stringify(identityOf(path))) return undefined
    return new Segment(readFileSync(path))
  } catch (error) {
    if (error instanceof DamagedIndex || isNodeError(error)) return undefined
    throw error
  }
}

/**
 * Other processes see the old or the new file, and of two that save at once one wins; the other's work is done anew.
 * Where nothing can be written the index is lost, which costs time and no answer.
 */
export function saveSegments(root: string, parts: Partial<Record<Part, Uint8Array>>): void {
  try {
    const directory = stateDirectory(root, 'index')
    const identities = readSeal(root)
    for (const part of ['base', 'delta'] as const) {
      const bytes = parts[part]
      if (bytes === undefined || bytes.length > MOST_INDEX_BYTES) continue
      writeOwn(join(directory, FILES[part]), bytes, { isDurable: part === 'base' })
      identities[FILES[part]] = identityOf(join(directory, FILES[part]))
    }
    writeOwn(join(directory, SEAL), JSON.stringify(identities), { isDurable: false })
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof HermesError)) throw error
  }
}

type Seal = v.InferOutput<typeof seal>

function readSeal(root: string): Seal {
  try {
    const path = join(root, '.hermes', 'index', SEAL)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size > 4096) return {}
    const parsed = v.safeParse(seal, JSON.parse(readFileSync(path, 'utf8')))
    return parsed.success ? parsed.output : {}
  } catch (error) {
    if (error instanceof SyntaxError || isNodeError(error)) return {}
    throw error
  }
}

/** A copy has another inode, or was made at another time. */
function identityOf(path: string): Seal[string] {
  const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true })
  return { device: String(dev), inode: String(ino), born: String(birthtimeNs) }
}
