import { expect } from 'vitest'
import type { ParseOutcome } from '../../../0-contracts/src/index.js'

/** Compared by being contained in the actual text, without regard to case. */
const PARTS: readonly string[] = ['message', 'hint', 'source', 'reason']

/**
 * Compares what a golden names: an object by its named fields (`null` for one that must be absent), `params` and the
 * number of elements exactly. Errors are flat: `{ blockId, startLine, source, code, message, line, column, length,
 * hint }`. A list that is not named must be empty.
 */
export function expectOutcome(actual: ParseOutcome, expected: Record<string, unknown>): void {
  const unknown = Object.keys(expected).filter((key) => !['blocks', 'errors', 'skipped', 'totalBlocks'].includes(key))
  expect(unknown, 'fields no outcome has').toEqual([])
  const flat = {
    blocks: actual.blocks,
    errors: actual.errors.map(({ error, ...place }) => ({ ...place, ...error })),
    skipped: actual.skipped,
    totalBlocks: actual.totalBlocks,
  }
  const named = { blocks: [], errors: [], skipped: [], ...expected }
  expect({ ...flat, ...picked(flat, named) }).toEqual({ ...flat, ...named })
}

type Lists = Record<'blocks' | 'errors' | 'skipped', unknown>

/** The lists of `actual` reduced to what `named` names; a part found stands as the golden writes it. */
function picked(actual: Lists, named: Lists): Lists {
  const reduce = (list: 'blocks' | 'errors' | 'skipped'): unknown[] => {
    const goldens = named[list] as readonly Record<string, unknown>[]
    return (actual[list] as readonly object[]).map((item, index) => {
      const golden = goldens[index]
      if (golden === undefined) return item
      return Object.fromEntries(Object.entries(golden).map(([key, part]) => [key, field(item, key, part)]))
    })
  }
  return { blocks: reduce('blocks'), errors: reduce('errors'), skipped: reduce('skipped') }
}

function field(item: object, key: string, part: unknown): unknown {
  const value = (item as Record<string, unknown>)[key] ?? null
  const contained = PARTS.includes(key) && typeof value === 'string' && typeof part === 'string'
  return contained && value.toLowerCase().includes(part.toLowerCase()) ? part : value
}
