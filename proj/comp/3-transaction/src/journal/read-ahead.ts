import { lstatSync } from 'node:fs'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { diskPath } from '../../../2-files/src/index.js'
import { captureInTurns, captureState, type ContentSink } from './file-state.js'
import type { FileState } from './operations.js'

/** Smallest file worth reading ahead, in bytes; smaller ones are read in no time. */
const LEAST_BYTES = 64 * 1024 ** 2

/**
 * Copies the content of large files into the journal before the change that needs it, so that the change itself is
 * quick.
 */
export class ReadAhead {
  readonly #known = new Map<string, { signature: string; state: FileState }>()

  /** @throws HermesError `CANCELLED` */
  async read(path: string, journal: () => ContentSink, signal: AbortSignal): Promise<void> {
    const signature = signatureOf(path)
    if (signature === undefined) return
    const state = await captureInTurns(path, journal(), () => {
      if (signal.aborted) throw new HermesError('CANCELLED', 'The run was cancelled')
    })
    const isWhole = state.kind === 'file' && state.at !== undefined
    if (isWhole && signatureOf(path) === signature) this.#known.set(path, { signature, state })
  }

  /** As `captureState`, which it calls if the file was not read ahead or has changed since. */
  capture(path: string, sink: ContentSink): FileState {
    const known = this.#known.get(path)
    this.#known.delete(path)
    return known && signatureOf(path) === known.signature ? known.state : captureState(path, sink)
  }
}

/** Whether a file is large enough to be read ahead. */
export function isLarge(path: string): boolean {
  return signatureOf(path) !== undefined
}

/** Identity and times of a large file, which differ after any change; `undefined` for small files. */
function signatureOf(path: string): string | undefined {
  const stats = orNothing(() => lstatSync(diskPath(path), { bigint: true, throwIfNoEntry: false }), undefined)
  if (!stats?.isFile() || stats.size < LEAST_BYTES) return undefined
  return [stats.dev, stats.ino, stats.size, stats.mode, stats.mtimeNs, stats.ctimeNs].join(' ')
}
