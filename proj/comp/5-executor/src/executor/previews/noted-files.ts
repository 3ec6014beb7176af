import type { ApprovedPath, FileStore, OverwriteCheck, WriteOutcome } from '../../../../0-contracts/src/index.js'
import { ForwardedFiles } from '../stores/forwarded-files.js'

/** A store that tells of every file right before it is written, the first time. */
export class NotedFiles extends ForwardedFiles {
  readonly #before: (path: ApprovedPath) => void
  readonly #told = new Set<ApprovedPath>()

  constructor(files: FileStore, before: (path: ApprovedPath) => void) {
    super(files)
    this.#before = before
  }

  override write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    if (!this.#told.has(path)) {
      this.#told.add(path)
      this.#before(path)
    }
    return super.write(path, content, check)
  }
}
