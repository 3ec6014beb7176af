import { DamagedIndex } from './bytes.js'
import { SealedFiles } from './sealed-files.js'
import { Segment } from './segment.js'

/** `base` holds most files, `delta` those that changed since it was written. */
export type Part = 'base' | 'delta'

const FILES: Readonly<Record<Part, string>> = { base: 'code.base', delta: 'code.delta' }
const SEAL = 'code.seal'

/** @returns `undefined` where it is missing, damaged, too large, or not written here */
export function loadSegment(root: string, part: Part): Segment | undefined {
  const bytes = new SealedFiles(root, SEAL).load(FILES[part])
  try {
    return bytes && new Segment(bytes)
  } catch (error) {
    if (error instanceof DamagedIndex) return undefined
    throw error
  }
}

/** As `SealedFiles.save`. */
export function saveSegments(root: string, parts: Partial<Record<Part, Uint8Array>>): void {
  new SealedFiles(root, SEAL).save((['base', 'delta'] as const).flatMap((part) => {
    const bytes = parts[part]
    return bytes === undefined ? [] : { name: FILES[part], bytes, isDurable: part === 'base' }
  }))
}
