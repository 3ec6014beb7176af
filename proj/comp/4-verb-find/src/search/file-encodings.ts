import { TextDecoder } from 'node:util'
import { isNodeError, unlessThrown, type ApprovedPath, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, wasReplaced } from '../../../2-files/src/index.js'
import { filePieces } from './file-pieces.js'
import { encodingOf } from './lines-at.js'

/** `unknown`: the bytes are not UTF-8, and there is no byte order mark. */
export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'unknown'

/**
 * Encoding of a file, as far as its bytes tell; `undefined` if it is not text or cannot be read.
 *
 * @param isMarkOnly look only at the byte order mark
 * @throws HermesError `CANCELLED`
 */
export async function fileEncoding(
  file: ApprovedPath, { files, signal }: Pick<VerbContext, 'files' | 'signal'>, isMarkOnly = false,
): Promise<FileEncoding | undefined> {
  let encoding: FileEncoding | undefined
  let decoder: TextDecoder | undefined
  try {
    for await (const piece of filePieces(file, files)) {
      checkSignal(signal)
      encoding ??= encodingOf(piece)
      if (isMarkOnly || encoding.startsWith('utf-16')) return encoding
      if (piece.includes(0)) return undefined
      if (encoding === 'unknown') continue
      decoder ??= new TextDecoder('utf-8', { fatal: true })
      if (!isDecoded(decoder, piece, true)) encoding = 'unknown'
    }
    if (encoding === 'utf-8' && decoder && !isDecoded(decoder, new Uint8Array(), false)) return 'unknown'
    return encoding ?? 'utf-8'
  } catch (error) {
    if (!isNodeError(error) && !wasReplaced(error)) throw error
    return undefined
  }
}

function isDecoded(decoder: TextDecoder, piece: Uint8Array, stream: boolean): boolean {
  return unlessThrown(TypeError, () => decoder.decode(piece, { stream }), undefined) !== undefined
}
