import type { KeptBlock } from '../../../3-transaction/src/index.js'

const PATHS = ['path', 'file_path', 'old_path', 'source', 'destination']

export function hasSucceeded(block: KeptBlock): boolean {
  return 'result' in block && block.result.success
}

export function idOf(block: KeptBlock): string | undefined {
  return 'result' in block ? block.result.blockId : block.errors[0]?.blockId
}

/**
 * Returns the earlier blocks that still count: those that succeeded, and failed ones that no later block replaces. A
 * later block with an id replaces all failed blocks of that id. One without replaces the first failed block without an
 * id that it resembles: in verb and path, else in path, else in verb; else the first that did not parse.
 */
export function standingBlocks(earlier: readonly KeptBlock[], later: readonly KeptBlock[]): KeptBlock[] {
  const open = new Set(earlier.filter((block) => !hasSucceeded(block)))
  const loose: KeptBlock[] = []
  for (const block of later) {
    const id = block.isLoose ? undefined : idOf(block)
    const same = [...open].filter((other) => id !== undefined && idOf(other) === id)
    for (const each of same) open.delete(each)
    if (same.length === 0 && block.isLoose) loose.push(block)
  }
  for (const isLike of LIKENESSES) {
    for (const block of loose.splice(0)) {
      const mended = [...open].find((each) => each.isLoose && isLike(each, block))
      if (mended) open.delete(mended)
      else loose.push(block)
    }
  }
  return earlier.filter((block) => hasSucceeded(block) || open.has(block))
}

const LIKENESSES: readonly ((block: KeptBlock, other: KeptBlock) => boolean)[] = [
  (one, other) => isSamePath(one, other) && isSameVerb(one, other), isSamePath, isSameVerb, (one) => 'errors' in one,
]

function isSamePath(block: KeptBlock, other: KeptBlock): boolean {
  const path = pathOf(block)
  return path !== undefined && path === pathOf(other)
}

function isSameVerb(block: KeptBlock, other: KeptBlock): boolean {
  return 'result' in block && 'result' in other && block.result.action === other.result.action
}

function pathOf(block: KeptBlock): string | undefined {
  if (!('result' in block)) return undefined
  const { params } = block.result
  return PATHS.map((name) => params[name]).find((value) => typeof value === 'string')
}
