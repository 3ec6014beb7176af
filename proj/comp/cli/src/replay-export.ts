import { closeSync, openSync, writeSync } from 'node:fs'
import { HermesError, isNodeError } from '../../contracts/src/index.js'

export interface ExportWriter {
  write(line: string | undefined): void
  close(): void
}

/** What writes the trajectories; a file that is there is replaced. @throws HermesError where it cannot be written */
export function exportWriter(file: string | undefined): ExportWriter {
  if (file === undefined) return { write: () => undefined, close: () => undefined }
  const guarded = <T>(write: () => T): T => {
    try {
      return write()
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `Cannot write the trajectories ${file} (${error.code})`, {
        hint: error.code === 'ENOSPC' ? 'The disk is full: make room, or write them elsewhere.' : 'Name a file that you may write.', cause: error,
      })
    }
  }
  const descriptor = guarded(() => openSync(file, 'w'))
  return {
    write(line) {
      if (line === undefined) return
      const bytes = Buffer.from(`${line}\n`)
      for (let at = 0; at < bytes.length;) at += guarded(() => writeSync(descriptor, bytes, at))
    },
    close: () => guarded(() => closeSync(descriptor)),
  }
}
