import { alreadyApplied, locate, type MatchTier, replacement, splice, textFinder } from '../../../1-edits/src/index.js'

/**
 * Replaces whole lines that the old text does not have byte for byte, in the one place where a tier finds them.
 *
 * @returns `undefined` where the text stands there exactly, or not in just one place; the content as it is, without a
 *   tier, where the edit was made before
 */
export function replaceTolerantly(
  content: string, oldText: string, newText: string,
): { result: string; tier?: MatchTier } | undefined {
  if (textFinder(content, oldText)(0) !== -1) return undefined
  const found = locate(content, oldText)
  if (found.kind === 'found') {
    const { place } = found
    return { result: splice(content, place, replacement(content, place, oldText, newText)), tier: place.tier }
  }
  return found.kind === 'missing' && alreadyApplied(content, oldText, newText, 'tolerant')
    ? { result: content } : undefined
}
