import {
  type ApprovedPath, type ContextItem, type FilePart, type HeldContent, HermesError, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { linesOf } from '../../../1-edits/src/index.js'
import { estimateTokens } from '../../../1-registry/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import { findPart, type LostPart } from './find-part.js'

/** How large an item is. */
export interface ItemSize {
  /** Bytes, of a part those of its lines. */
  size: number
  /** About how many tokens it takes in a prompt; 0 for what is not UTF-8 text. */
  tokens: number
  /** Of a part: where it is now, by first and last line. */
  lines?: readonly [first: number, last: number]
  /** Of a part that the file has no more, or more than once: what is wrong, in words. */
  lost?: string
}

type Reading = Pick<VerbContext, 'gate' | 'files' | 'limits' | 'elsewhere'>

/**
 * `undefined` when there is no such file any more, or it may not be read any more. It is read again where it has
 * changed: then a part is looked for again, by its name where it has one.
 */
export async function itemSize(item: ContextItem, reading: Reading): Promise<ItemSize | undefined> {
  const { gate, files, limits, elsewhere } = reading
  // Looking how large it is does not use it.
  const path = approveIfAllowed(gate, item.resolved, 'list')
  const found = path && files.stat(path)
  if (!path || found?.kind !== 'file') return undefined
  const { size, mtimeMs } = found
  // The time of a file elsewhere is too coarse to tell that it is the same.
  if (elsewhere || item.held?.size !== size || item.held.mtimeMs !== mtimeMs) {
    const text = size > limits.maxFileBytes ? undefined : textOf(files.peekBytes(path, limits.maxFileBytes))
    item.held = { size, mtimeMs, ...await contentOf(path, text, item.part) }
  }
  const { text, tokens, lines, lost } = item.held
  return {
    size: item.part ? Buffer.byteLength(text) : size, tokens, ...(lines && { lines }),
    ...(lost !== undefined && { lost }),
  }
}

/** Without size and time of the file. */
async function contentOf(
  path: ApprovedPath, text: string | undefined, part: FilePart | undefined,
): Promise<Omit<HeldContent, 'size' | 'mtimeMs'>> {
  if (text === undefined) return { text: '', tokens: 0 }
  if (!part) return { text, tokens: estimateTokens(text) }
  const all = linesIn(text)
  const place = await placeOf(path, all, part)
  if ('lost' in place) return { text: '', tokens: 0, lost: `${place.lost}. ${place.hint}` }
  const [first, last] = place.lines
  const width = String(last).length
  const shown = all.slice(first - 1, last).map((line, index) => `${String(first + index).padStart(width)}: ${line}\n`)
    .join('')
  return { text: shown, tokens: estimateTokens(shown), lines: place.lines }
}

/** Without byte order mark and line breaks. */
export function linesIn(text: string): string[] {
  return linesOf(text.startsWith('\ufeff') ? text.slice(1) : text).map(({ body }) => body)
}

/** Code that cannot be parsed costs its part only. */
async function placeOf(path: string, lines: readonly string[], part: FilePart): ReturnType<typeof findPart> {
  try {
    return await findPart(path, lines, part)
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    const { message, hint = '' } = error
    return { code: 'TEXT_NOT_FOUND', lost: message, hint } satisfies LostPart
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? undefined : text
}
