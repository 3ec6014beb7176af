import { type ApprovedPath, type FileStore, HermesError } from '../../../0-contracts/src/index.js'
import { decodeUtf8 } from './decode-utf8.js'
import { namedAs } from './named-as.js'

/**
 * A whole file as text, byte order mark and line endings kept.
 *
 * @param shownPath the path as the model wrote it, for messages
 * @throws HermesError `NOT_TEXT` where it is not valid UTF-8, and all that `readBytes` throws
 */
export function readText(files: FileStore, path: ApprovedPath, maxBytes: number, shownPath: string): string {
  const held = namedAs(shownPath, path, () => files.heldText?.(path, maxBytes))
  if (held !== undefined) return held
  const bytes = namedAs(shownPath, path, () => files.readBytes(path, maxBytes))
  const text = decodeUtf8(bytes)
  if (text !== undefined) return text
  throw new HermesError('NOT_TEXT', `File is not UTF-8 text: ${shownPath}`, { hint: otherEncoding(bytes) })
}

/** Whether bytes that are not UTF-8 are no text in another encoding either, by a NUL near their beginning. */
export function looksBinary(bytes: Uint8Array): boolean {
  return !beginsAsUtf16(bytes) && bytes.subarray(0, 8192).includes(0)
}

function beginsAsUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

function otherEncoding(bytes: Uint8Array): string {
  if (beginsAsUtf16(bytes)) return 'It begins like UTF-16. Convert it with a command, e.g. iconv -f UTF-16 -t UTF-8.'
  return looksBinary(bytes)
    ? 'It looks like a binary file. Use a command that knows its format.'
    : 'It is in another encoding. Convert it with a command, e.g. iconv -f ISO-8859-1 -t UTF-8.'
}
