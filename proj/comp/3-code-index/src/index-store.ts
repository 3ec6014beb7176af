import { unlessThrown } from '../../0-contracts/src/index.js'
import { DamagedIndex } from './bytes.js'
import { decodePassages, encodePassages, type PassageIndex } from './passages/index.js'
import { loadSealed, saveSealed } from './sealed-files.js'
import { Segment } from './segment.js'

/** `base` has most files, `delta` those changed since it was written. */
export type Part = 'base' | 'delta'

const FILES: Readonly<Record<Part | 'passages', string>> = {
  base: 'code.base', delta: 'code.delta', passages: 'code.passages',
}

/** @returns `undefined` where it is missing, damaged, too large, or was not written here */
export function loadSegment(root: string, part: Part): Segment | undefined {
  const bytes = loadSealed(root, FILES[part])
  return bytes && unlessThrown(DamagedIndex, () => new Segment(bytes), undefined)
}

/** As `loadSegment`. */
export function loadPassages(root: string): PassageIndex | undefined {
  const bytes = loadSealed(root, FILES.passages)
  return bytes && decodePassages(bytes)
}

export interface IndexParts {
  base?: Uint8Array
  delta: Uint8Array
  passages?: PassageIndex
}

/** As `saveSealed`: files that belong together have one seal. */
export function saveIndex(root: string, make: () => IndexParts): boolean {
  return saveSealed(root, () => {
    const { base, delta, passages } = make()
    const files = [{ name: FILES.delta, bytes: delta, isDurable: false }]
    if (base) files.unshift({ name: FILES.base, bytes: base, isDurable: true })
    if (passages) files.push({ name: FILES.passages, bytes: encodePassages(passages), isDurable: false })
    return files
  })
}
