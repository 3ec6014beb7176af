import { createHash } from 'node:crypto'
import { type HookResult, ifPossible, type VerbContext } from '../../../0-contracts/src/index.js'
import type { WrittenFile } from './written-files.js'

type HookDiff = NonNullable<HookResult['diffs']>[number]

/** State of a file: empty if it cannot be read, without bytes if it is too large to compare. */
export interface FileState {
  digest?: string
  bytes?: Uint8Array
}

/** Largest file compared line by line, and most bytes kept for comparing at once. */
const LARGEST_FILE = 256 * 1024
const MOST_KEPT = 8 * 1024 * 1024
/** Limits of the diff of one file, and of all diffs of a run. */
const MOST_OF_FILE = { lines: 40, bytes: 4096 }
const MOST_FILES = 20
const MOST_BYTES = 64 * 1024

export function statesOf(files: readonly WrittenFile[], { files: store, limits }: VerbContext): FileState[] {
  let kept = 0
  return files.map(({ path }) => ifPossible(() => {
    const bytes = store.peekBytes(path, limits.maxFileBytes)
    const digest = createHash('sha256').update(bytes).digest('hex')
    if (bytes.length > LARGEST_FILE || kept + bytes.length > MOST_KEPT) return { digest }
    kept += bytes.length
    return { digest, bytes }
  }, {}))
}

/** Short diffs of what the hooks of one run changed, within the limits above. */
export class HookDiffs {
  #files = 0
  #bytes = 0

  constructor(private readonly masked: (text: string) => string) {}

  async of(
    changes: readonly { path: string; before: FileState | undefined; after: FileState | undefined }[],
  ): Promise<HookDiff[]> {
    const diffs: HookDiff[] = []
    for (const { path, before, after } of changes) {
      const bytes = Math.min(MOST_OF_FILE.bytes, MOST_BYTES - this.#bytes)
      if (this.#files >= MOST_FILES || bytes <= 0) break
      const texts = [textOf(before), textOf(after)] as const
      if (texts[0] === undefined || texts[1] === undefined) continue
      const { shortTextDiff } = await import('../../../1-reports/src/index.js')
      // Mask first: a secret may have several lines, which a diff would separate.
      const shortDiff = await shortTextDiff(this.masked(texts[0]), this.masked(texts[1]), { ...MOST_OF_FILE, bytes })
      if (shortDiff === undefined || shortDiff.diff === '') continue
      this.#files += 1
      this.#bytes += Buffer.byteLength(shortDiff.diff)
      diffs.push({ path: this.masked(path), ...shortDiff })
    }
    return diffs
  }
}

/** The text of a file; `undefined` if it is not text. */
function textOf(state: FileState | undefined): string | undefined {
  if (state?.bytes === undefined) return undefined
  const text = Buffer.from(state.bytes).toString('utf8')
  return /[\0\ufffd]/.test(text) ? undefined : text
}
