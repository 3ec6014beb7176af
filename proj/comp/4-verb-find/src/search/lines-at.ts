import { TextDecoder } from 'node:util'
import { isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, wasReplaced } from '../../../2-files/src/index.js'
import { filePieces } from './file-pieces.js'

/** Characters kept of one line; the rest of a longer one is dropped. */
const LONGEST_LINE = 1 << 24

/**
 * The lines of a text file in batches, without their endings (LF or CRLF), decoded as UTF-8, or as UTF-16 after its
 * byte order mark; other bytes become U+FFFD. Ends with `'binary'` at a NUL character.
 *
 * @throws HermesError `CANCELLED`; Node's errors
 */
export async function* textLines(
  file: ApprovedPath, { files, signal }: Pick<VerbContext, 'files' | 'signal'>,
): AsyncGenerator<string[] | 'binary'> {
  let decoder: TextDecoder | undefined
  let pending = ''
  for await (const piece of filePieces(file, files)) {
    checkSignal(signal)
    decoder ??= new TextDecoder(encodingOf(piece))
    const text = decoder.decode(piece, { stream: true })
    if (text.includes('\0')) {
      yield 'binary'
      return
    }
    const lines = text.split('\n')
    const [first = ''] = lines
    if (pending.length < LONGEST_LINE) pending += first
    if (lines.length === 1) continue
    lines[0] = pending
    pending = lines.pop() ?? ''
    yield lines.map(withoutEnding)
  }
  pending += decoder?.decode() ?? ''
  if (pending !== '') yield [withoutEnding(pending)]
}

/** Some lines of a text file by their number, 1-based, as far as they are there. */
export async function linesAt(
  file: ApprovedPath, wanted: ReadonlySet<number>, context: Pick<VerbContext, 'files' | 'signal'>,
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  let number = 0
  try {
    for await (const batch of textLines(file, context)) {
      if (batch === 'binary') break
      for (const line of batch) if (wanted.has(++number)) found.set(number, line)
      if (found.size === wanted.size) break
    }
  } catch (error) {
    // It may have vanished, or been replaced.
    if (!isNodeError(error) && !wasReplaced(error)) throw error
  }
  return found
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function withoutEnding(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
