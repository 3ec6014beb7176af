import { createHash } from 'node:crypto'
import { HermesError, isNodeError, type HookResult, type VerbContext } from '../../../0-contracts/src/index.js'
import type { WrittenFile } from './written-files.js'

type HookDiff = NonNullable<HookResult['diffs']>[number]

/** What a file holds: nothing of one that cannot be read, no bytes of one that is too large to be compared. */
export interface FileState {
  digest?: string
  bytes?: Uint8Array
}

export interface HookChange {
  path: string
  before: FileState | undefined
  after: FileState | undefined
}

/** Bytes of a file that is compared line by line, and of all that are kept for it at once. */
const LARGEST_FILE = 256 * 1024
const MOST_KEPT = 8 * 1024 * 1024
/** Of one file, and of all of a run. */
const MOST_OF_FILE = { lines: 40, bytes: 4096 }
const MOST_FILES = 20
const MOST_BYTES = 64 * 1024

export function statesOf(files: readonly WrittenFile[], { files: store, limits }: VerbContext): FileState[] {
  let kept = 0
  return files.map(({ path }) => {
    try {
      const bytes = store.peekBytes(path, limits.maxFileBytes)
      const digest = createHash('sha256').update(bytes).digest('hex')
      if (bytes.length > LARGEST_FILE || kept + bytes.length > MOST_KEPT) return { digest }
      kept += bytes.length
      return { digest, bytes }
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      return {}
    }
  })
}

/** Short diffs of what the hooks of one run changed, as long as there is room for more. */
export class HookDiffs {
  readonly #masked: (text: string) => string
  #files = 0
  #bytes = 0

  constructor(masked: (text: string) => string) {
    this.#masked = masked
  }

  async of(changes: readonly HookChange[]): Promise<HookDiff[]> {
    const diffs: HookDiff[] = []
    for (const { path, before, after } of changes) {
      const bytes = Math.min(MOST_OF_FILE.bytes, MOST_BYTES - this.#bytes)
      if (this.#files >= MOST_FILES || bytes <= 0) break
      const texts = [textOf(before), textOf(after)] as const
      if (texts[0] === undefined || texts[1] === undefined) continue
      const { shortTextDiff } = await import('../../../1-reports/src/index.js')
      // Masked before they are compared: a secret may have several lines, which a diff would part.
      const found = await shortTextDiff(this.#masked(texts[0]), this.#masked(texts[1]), { ...MOST_OF_FILE, bytes })
      if (found === undefined || found.diff === '') continue
      this.#files += 1
      this.#bytes += Buffer.byteLength(found.diff)
      diffs.push({ path: this.#masked(path), ...found })
    }
    return diffs
  }
}

/** `undefined` of what is no text. */
function textOf(state: FileState | undefined): string | undefined {
  if (state?.bytes === undefined) return undefined
  const text = Buffer.from(state.bytes).toString('utf8')
  return /[\0\ufffd]/.test(text) ? undefined : text
}
