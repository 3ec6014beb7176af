import { setImmediate as nextTurn } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { type ApprovedPath, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, wasReplaced } from '../../../2-files/src/index.js'
import { filePieces } from './file-pieces.js'

/** Longest line passed on whole, in UTF-16 units. */
const LONGEST_LINE = 1 << 20
/** Overlap of the parts of a longer line: a match near an edge is reported in the part that shows more around it. */
const OVERLAP = 16 * 1024

/** A part of a line that is too long to be passed on whole. */
export interface LinePart {
  text: string
  /** UTF-16 units of the line before this part. */
  from: number
  isLast: boolean
}

/** Whether a match at a place in a part is to be reported in this part. */
export function isToldIn({ text, from, isLast }: LinePart, at: number): boolean {
  return at >= (from === 0 ? 0 : OVERLAP / 2) && (isLast || at < text.length - OVERLAP / 2)
}

/**
 * Yields the lines of a text file in batches, without their endings (LF or CRLF), decoded as UTF-8, or as UTF-16 if it
 * has a byte order mark; invalid bytes become U+FFFD. Long lines come in parts. Ends with `'binary'` at a NUL
 * character.
 *
 * @throws HermesError `CANCELLED`; Node's errors
 */
export async function* textLines(
  file: ApprovedPath, { files, signal }: Pick<VerbContext, 'files' | 'signal'>,
): AsyncGenerator<string[] | LinePart | 'binary'> {
  let decoder: TextDecoder | undefined
  let pending = ''
  let from = 0
  for await (const piece of filePieces(file, files)) {
    // Yield, so that an abort can arrive.
    await nextTurn()
    checkSignal(signal)
    decoder ??= new TextDecoder(encodingOf(piece))
    const text = decoder.decode(piece, { stream: true })
    if (text.includes('\0')) {
      yield 'binary'
      return
    }
    const lines = text.split('\n')
    const [first = ''] = lines
    pending += first
    if (lines.length > 1) {
      if (from > 0) {
        yield { text: withoutEnding(pending), from, isLast: true }
        lines.shift()
        from = 0
      } else lines[0] = pending
      pending = lines.pop() ?? ''
      yield lines.map(withoutEnding)
    }
    if (pending.length <= LONGEST_LINE) continue
    yield { text: pending, from, isLast: false }
    from += pending.length - OVERLAP
    pending = pending.slice(-OVERLAP)
  }
  pending += decoder?.decode() ?? ''
  if (from > 0) yield { text: withoutEnding(pending), from, isLast: true }
  else if (pending !== '') yield [withoutEnding(pending)]
}

/** A line, or the part of a long line around the place asked for. */
export interface FoundLine {
  text: string
  /** As in `LinePart`; 0 for a whole line. */
  from: number
  /** Index of the place in the part; absent for a whole line. */
  at?: number
}

/**
 * Reads some lines of a text file, as far as they exist.
 *
 * @param wanted by line number (1-based), the byte offset of the place sought, in the line as UTF-8
 */
export async function linesAt(
  file: ApprovedPath, wanted: ReadonlyMap<number, number | undefined>, context: Pick<VerbContext, 'files' | 'signal'>,
): Promise<Map<number, FoundLine>> {
  const lines = new Map<number, FoundLine>()
  let number = 0
  let bytesBefore = 0
  try {
    for await (const batch of textLines(file, context)) {
      if (batch === 'binary') break
      if (!Array.isArray(batch)) {
        if (batch.from === 0) {
          number++
          bytesBefore = 0
        }
        const offset = wanted.get(number)
        if (offset !== undefined && !lines.has(number)) {
          const at = charactersIn(batch.text, offset - bytesBefore)
          if (at !== undefined && isToldIn(batch, at)) lines.set(number, { text: batch.text, from: batch.from, at })
        }
        if (!batch.isLast) bytesBefore += Buffer.byteLength(batch.text.slice(0, -OVERLAP))
      } else for (const text of batch) if (wanted.has(++number)) lines.set(number, { text, from: 0 })
      if (lines.size === wanted.size) break
    }
  } catch (error) {
    // The file may have been removed or replaced.
    if (!isNodeError(error) && !wasReplaced(error)) throw error
  }
  return lines
}

/** Converts a number of bytes to UTF-16 units; `undefined` if the text is shorter, or the offset is negative. */
function charactersIn(text: string, bytes: number): number | undefined {
  if (bytes < 0) return undefined
  const all = Buffer.from(text)
  return bytes > all.length ? undefined : all.toString('utf8', 0, bytes).length
}

/** Encoding by the byte order mark. */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function withoutEnding(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
