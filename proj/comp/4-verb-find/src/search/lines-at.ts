import { setImmediate as nextTurn } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, wasReplaced } from '../../../2-files/src/index.js'
import { filePieces } from './file-pieces.js'

/** Longest line that is handed out whole, in UTF-16 units. */
const LONGEST_LINE = 1 << 20
/** What the next part of a longer one begins with again: a match near an end is told of in the part that has more. */
const OVERLAP = 16 * 1024

/** A part of a line that is too long to be handed out whole. */
export interface LinePart {
  text: string
  /** UTF-16 units of the line before it. */
  from: number
  isLast: boolean
}

/** Whether a match at a place in a part is that part's to tell. */
export function isToldIn({ text, from, isLast }: LinePart, at: number): boolean {
  return at >= (from === 0 ? 0 : OVERLAP / 2) && (isLast || at < text.length - OVERLAP / 2)
}

/**
 * The lines of a text file in batches, without their endings (LF or CRLF), decoded as UTF-8, or as UTF-16 after its
 * byte order mark; other bytes become U+FFFD. Long lines come in parts. Ends with `'binary'` at a NUL character.
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
    // So that a signal is heard meanwhile.
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

/** A line, or of a long one the part around the place that was asked for. */
export interface FoundLine {
  text: string
  /** As of `LinePart`; 0 for a whole line. */
  from: number
  /** Of the place in a part; absent for a whole line. */
  at?: number
}

/**
 * Some lines of a text file, as far as they are there.
 *
 * @param wanted by their number, 1-based, the bytes before the place that is sought, of the line in UTF-8
 */
export async function linesAt(
  file: ApprovedPath, wanted: ReadonlyMap<number, number | undefined>, context: Pick<VerbContext, 'files' | 'signal'>,
): Promise<Map<number, FoundLine>> {
  const found = new Map<number, FoundLine>()
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
        if (offset !== undefined && !found.has(number)) {
          const at = charactersIn(batch.text, offset - bytesBefore)
          if (at !== undefined && isToldIn(batch, at)) found.set(number, { text: batch.text, from: batch.from, at })
        }
        if (!batch.isLast) bytesBefore += Buffer.byteLength(batch.text.slice(0, -OVERLAP))
      } else for (const text of batch) if (wanted.has(++number)) found.set(number, { text, from: 0 })
      if (found.size === wanted.size) break
    }
  } catch (error) {
    // It may have vanished, or been replaced.
    if (!isNodeError(error) && !wasReplaced(error)) throw error
  }
  return found
}

/** UTF-16 units that so many bytes are; `undefined` where the text has fewer, or it is not in it. */
function charactersIn(text: string, bytes: number): number | undefined {
  if (bytes < 0) return undefined
  const all = Buffer.from(text)
  return bytes > all.length ? undefined : all.toString('utf8', 0, bytes).length
}

/** By the byte order mark at its beginning. */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function withoutEnding(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
