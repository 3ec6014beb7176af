import { HermesError } from '../../../0-contracts/src/index.js'
import { readRegular } from '../../../2-files/src/index.js'
import type { FileState } from './operations.js'

const MOST_BYTES = 256 * 1024

/** The two contents are for the difference that the hint shows. */
export class ChangedOnDisk extends HermesError {
  readonly found: Uint8Array | undefined

  constructor(path: string, readonly known: Uint8Array | undefined, fileState: FileState) {
    super('CHANGED_ON_DISK', `${path} was changed by someone else since this session read it: nothing was written`, {
      hint: 'Look at what it holds now, then send the block again, with the change in mind.',
    })
    const isShown = fileState.kind === 'file' && known !== undefined && fileState.size <= MOST_BYTES
    this.found = isShown ? readRegular(path, MOST_BYTES) : undefined
  }
}
