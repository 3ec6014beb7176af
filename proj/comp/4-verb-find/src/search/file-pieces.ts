import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'

/** Files up to this size, in bytes, are read at once, which is faster. */
const SMALL = 1 << 20

/** The content of a file of any size, piece by piece. */
export function filePieces(
  file: ApprovedPath, files: VerbContext['files'],
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const size = files.stat(file)?.size ?? 0
  return size <= SMALL ? [files.readBytes(file, Infinity)] : files.chunks(file)
}
