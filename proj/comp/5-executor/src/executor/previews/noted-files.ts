import {
  ifPossible, type ApprovedPath, type FileStore, type OverwriteCheck, type WriteOutcome,
} from '../../../../0-contracts/src/index.js'
import { decodeUtf8, ForwardedFiles } from '../../../../2-files/src/index.js'

/** Larger files are not read, in bytes. */
const LARGEST_FILE = 1024 * 1024

/** A store that keeps what files hold right before they are written, the first time. */
export class NotedFiles extends ForwardedFiles {
  /** Contents before; `undefined` for a new file, `null` for one that is not text, or too large. */
  readonly before = new Map<ApprovedPath, string | null | undefined>()

  /** @param most of how many files it is kept */
  constructor(
    files: FileStore, private readonly most: number, private readonly isNoted: (path: ApprovedPath) => boolean,
  ) {
    super(files)
  }

  override write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    if (!this.before.has(path) && this.before.size < this.most && this.isNoted(path)) {
      this.before.set(path, this.inner.lstat(path) === undefined ? undefined : textOf(this.inner, path))
    }
    return super.write(path, content, check)
  }
}

/** The text of a file; `null` where it is not text, too large, or by now behind a link that somebody put in its way. */
export function textOf(files: FileStore, path: ApprovedPath): string | null {
  return ifPossible(() => {
    const stat = files.stat(path)
    if (stat?.kind !== 'file' || stat.size > LARGEST_FILE) return null
    return decodeUtf8(files.peekBytes(path, LARGEST_FILE)) ?? null
  }, null)
}
