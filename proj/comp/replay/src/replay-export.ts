import { chmodSync, closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { HermesError, isNodeError, orNothing } from '../../contracts/src/index.js'

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
  // What a link leads to is replaced, and not the link.
  const target = orNothing(() => realpathSync.native(file), file)
  const before = orNothing(() => statSync(target), undefined)
  if (before?.isDirectory()) guarded(() => openSync(target, 'w'))
  const isDevice = before?.isFile() === false
  const written = isDevice ? target : `${target}.${process.pid}.tmp`
  const descriptor = guarded(() => openSync(written, 'w'))
  const remove = (): void => orNothing(() => rmSync(written, { force: true }), undefined)
  // However this process ends.
  if (!isDevice) process.once('exit', remove)
  return {
    write(line) {
      if (line === undefined) return
      const bytes = Buffer.from(`${line}\n`)
      for (let at = 0; at < bytes.length;) at += guarded(() => writeSync(descriptor, bytes, at))
    },
    finish() {
      guarded(() => {
        closeSync(descriptor)
        if (isDevice) return
        if (before) chmodSync(written, before.mode & 0o7777)
        renameSync(written, target)
      })
      process.removeListener('exit', remove)
    },
  }
}
