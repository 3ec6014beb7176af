import {
  type ApprovedPath, caughtLater, type ContextItem, type FilePart, type HeldContent, HermesError, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { linesOf } from '../../../1-edits/src/index.js'
import { estimateTokens } from '../../../1-registry/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import { findPart, type LostPart } from './find-part.js'

type Reading = Pick<VerbContext, 'gate' | 'files' | 'limits' | 'elsewhere'>

/**
 * Size of an item, for a part of its lines; `undefined` when its file is gone or may no longer be read. A changed file
 * is read again, and its part found again, by name if it has one.
 */
export async function itemSize(
  item: ContextItem, reading: Reading,
): Promise<Omit<HeldContent, 'text' | 'mtimeMs'> | undefined> {
  const { gate, files, limits, elsewhere } = reading
  // `list` access, since checking the size is not a use.
  const path = approveIfAllowed(gate, item.resolved, 'list')
  const stat = path && files.stat(path)
  if (!path || stat?.kind !== 'file') return undefined
  const { size, mtimeMs } = stat
  // Modification times on another host are too coarse to prove that a file is unchanged.
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

/** Without the file's size and time. */
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

/** The lines without byte order mark and line breaks. */
export function linesIn(text: string): string[] {
  return linesOf(text.startsWith('\ufeff') ? text.slice(1) : text).map(({ body }) => body)
}

/** Finds a part; for code that cannot be parsed, only the part is lost. */
async function placeOf(path: string, lines: readonly string[], part: FilePart): ReturnType<typeof findPart> {
  return await caughtLater(HermesError, () => findPart(path, lines, part), (error) => {
    const { message, hint = '' } = error
    return { code: 'TEXT_NOT_FOUND', lost: message, hint } satisfies LostPart
  })
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? undefined : text
}
