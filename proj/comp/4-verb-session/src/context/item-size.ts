import type { ContextItem, VerbContext } from '../../../0-contracts/src/index.js'
import { estimateTokens } from '../../../1-registry/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'

/** How large an item is. */
export interface ItemSize {
  /** Bytes. */
  size: number
  /** About how many tokens it takes in a prompt; 0 for what is not UTF-8 text. */
  tokens: number
}

/**
 * `undefined` when there is no such file any more, or it may not be read any more.
 * It is read again where it has changed.
 */
export function itemSize(
  item: ContextItem, { gate, files, limits }: Pick<VerbContext, 'gate' | 'files' | 'limits'>,
): ItemSize | undefined {
  // Looking how large it is does not use it.
  const path = approveIfAllowed(gate, item.resolved, 'list')
  const found = path && files.stat(path)
  if (!path || found?.kind !== 'file') return undefined
  const { size, mtimeMs } = found
  if (item.held?.size !== size || item.held.mtimeMs !== mtimeMs) {
    const text = size > limits.maxFileBytes ? undefined : readText(files.peekBytes(path, limits.maxFileBytes))
    item.held = { size, mtimeMs, text: text ?? '', tokens: text === undefined ? 0 : estimateTokens(text) }
  }
  return { size, tokens: item.held.tokens }
}

function readText(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? undefined : text
}
