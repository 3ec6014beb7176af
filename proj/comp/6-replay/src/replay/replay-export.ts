import { WholeFile } from '../../../2-files/src/index.js'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

export interface ExportWriter {
  write(line: string | undefined): void
  /** Puts what was written in the place of the file; without this it stays as it was. */
  finish(): void
}

/**
 * What writes the trajectories: beside the file, which they replace at the end. A device is written as they come.
 *
 * @throws HermesError where it cannot be written
 */
export function exportWriter(file: string | undefined): ExportWriter {
  if (file === undefined) return { write: () => undefined, finish: () => undefined }
  const guarded = <T>(write: () => T): T => {
    try {
      return write()
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `Cannot write the trajectories ${file} (${error.code})`, {
        hint: error.code === 'ENOSPC' ? 'The disk is full: make room, or write them elsewhere.'
          : 'Name a file that you may write.', cause: error,
      })
    }
  }
  const target = guarded(() => new WholeFile(file))
  return {
    write: (line) => (line === undefined ? undefined : guarded(() => target.write(`${line}\n`))),
    finish: () => guarded(() => target.finish()),
  }
}
