import { WholeFile } from '../../../2-files/src/index.js'
import { guardedWrite } from './guarded-write.js'

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
  const guarded = <T>(write: () => T): T => guardedWrite({
    what: `Cannot write the trajectories ${file}`, hint: 'Name a file that you may write.',
    fullHint: 'The disk is full: make room, or write them elsewhere.',
  }, write)
  const target = guarded(() => new WholeFile(file))
  return {
    write: (line) => (line === undefined ? undefined : guarded(() => target.write(`${line}\n`))),
    finish: () => guarded(() => target.finish()),
  }
}
