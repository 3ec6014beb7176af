import { type ApprovedPath, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import type { LineRange } from '../../../1-edits/src/index.js'
import { chunksNamedAs, namedAs, readText, checkSignal, relatedVerbs, requireFile } from '../../../2-files/src/index.js'
import { LineSelection } from './line-selection.js'
import { clampRange } from './numbered-lines.js'
import { PieceDecoder } from './piece-decoder.js'
import { decodeText, type TextEncoding } from './text-encoding.js'

export interface LinesWanted {
  first: number
  /** Default: the file's last line. */
  last: number | undefined
  /** Writes a range in the verb's parameters. */
  write: (range: LineRange) => string
  /** Default: UTF-8, for verbs without such a parameter. */
  encoding?: TextEncoding
}

/**
 * Reads lines of a file of any size, as many of the range as it has; the lines read must be within the limit for a
 * file.
 *
 * @returns `lines`, each with its ending (a byte order mark is no part of line 1), and how many the whole file has
 * @throws HermesError `RANGE_INVALID` for a start beyond its end, `OUTPUT_LIMIT`, `NOT_TEXT`, `CANCELLED`, and as
 * `requireFile`
 */
export async function readLines(
  verb: string, path: string, wanted: LinesWanted, context: VerbContext,
): Promise<LineRange & { lines: string[]; lineCount: number }> {
  const { first, last = Infinity, write, encoding } = wanted
  const target = requireFile(verb, path, context)
  const selection = new LineSelection({ first, last }, context.limits.maxFileBytes)
  for await (const text of textPieces(path, target, encoding, context)) {
    selection.push(text)
    if (selection.fitting !== undefined) throw tooMuch(verb, path, selection.fitting, wanted, context)
  }
  const { lines, lineCount } = selection
  const range = { first, last: wanted.last ?? Math.max(first, lineCount) }
  return { ...clampRange(verb, range, lineCount, write, context), lines, lineCount }
}

/**
 * The text of a file; a file within the limit is read at once, which is faster and gives better errors for other
 * encodings.
 */
async function* textPieces(
  path: string, target: ApprovedPath, encoding: TextEncoding | undefined, { files, limits, signal }: VerbContext,
): AsyncGenerator<string> {
  if ((files.stat(target)?.size ?? 0) <= limits.maxFileBytes) {
    yield encoding === undefined
      ? readText(files, target, limits.maxFileBytes, path)
      : decodeText(path, namedAs(path, target, () => files.readBytes(target, limits.maxFileBytes)), encoding)
    return
  }
  const decoder = new PieceDecoder(encoding ?? 'utf-8')
  for await (const piece of chunksNamedAs(path, target, files.chunks(target))) {
    checkSignal(signal)
    const text = decoder.push(piece)
    if (text === undefined) throw notText(path, encoding)
    yield text
  }
  if (!decoder.end()) throw notText(path, encoding)
}

export function notText(path: string, encoding: TextEncoding = 'utf-8'): HermesError {
  return new HermesError('NOT_TEXT', `File is not ${encoding.toUpperCase()} text: ${path}`, {
    hint: 'It is a binary file or in another encoding. Use a command that knows its format.',
  })
}

/** @param fitting how many of the lines are within the limit */
function tooMuch(
  verb: string, path: string, fitting: number, { first, write }: LinesWanted, context: VerbContext,
): HermesError {
  const message = `${verb}: the lines of '${path}' have more than ${context.limits.maxFileBytes} bytes`
  return new HermesError('OUTPUT_LIMIT', message, {
    hint: fitting > 0
      ? `Read fewer at once: ${write({ first, last: first + fitting - 1 })}.`
      : `Line ${first} alone has more: take a part of it with a command (${relatedVerbs(context).command}).`,
  })
}
