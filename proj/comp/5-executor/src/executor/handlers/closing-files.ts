import type { ApprovedPath, FileStore } from '../../../../0-contracts/src/index.js'
import { ForwardedFiles, type FileUse } from '../../../../2-files/src/index.js'

/** A store that its handler can use until the call is over. Each method is done when it returns: none is cut short. */
export class ClosingFiles extends ForwardedFiles {
  /** @param requireOpen throws once the call is over */
  constructor(files: FileStore, private readonly requireOpen: (what: string) => void) {
    super(files)
  }

  heldText(path: ApprovedPath, maxBytes: number): string | undefined {
    return this.to('read', path).heldText?.(path, maxBytes)
  }

  replaceOnly(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean {
    return this.to('change', path).replaceOnly?.(path, oldText, newText, maxBytes) ?? false
  }

  override async *chunks(path: ApprovedPath): AsyncIterable<Uint8Array> {
    for await (const chunk of this.to('read', path).chunks(path)) {
      yield chunk
      this.requireOpen(`read ${path}`)
    }
  }

  protected override to(use: FileUse, path: ApprovedPath): FileStore {
    this.requireOpen(`${use} ${path}`)
    return this.inner
  }
}
