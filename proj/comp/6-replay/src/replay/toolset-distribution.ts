import { createHash } from 'node:crypto'
import { HermesError } from '../../../0-contracts/src/index.js'
import { selectToolsets } from '../../../1-registry/src/index.js'
import { nearest } from '../../../0-text/src/index.js'

/** Chance of each toolset to be enabled, in percent; each is drawn independently. */
export type ToolsetDistribution = Readonly<Record<string, number>>

/** Distributions that ship with hermes. */
export const TOOLSET_DISTRIBUTIONS: Readonly<Record<string, ToolsetDistribution>> = {
  'all': { 'clada': 100, 'hermes': 100, 'core': 100 },
  'balanced': { 'read-only': 100, 'edit': 50, 'execute': 50, 'git': 50, 'edit-formats': 50 },
  'reading': { 'read-only': 100, 'edit': 10, 'execute': 10 },
  'editing': { 'edit': 95, 'edit-formats': 60, 'read-only': 50, 'execute': 20, 'git': 20 },
  'commands': { 'execute': 95, 'read-only': 60, 'edit': 40, 'git': 30 },
  'vocabularies': { 'clada': 50, 'hermes': 50, 'core': 50 },
}

export interface ToolsetDraw {
  distribution: ToolsetDistribution
  /** The same seed draws the same for the same transcript, in any order and on any machine. */
  seed: number
}

/**
 * @param own distributions by name; they take precedence over the built-in ones
 * @throws HermesError `INVALID_OPTION` for an unknown distribution or toolset
 */
export function toolsetDistribution(
  name: string, own: Readonly<Record<string, ToolsetDistribution>> = {},
): ToolsetDistribution {
  const all = { ...TOOLSET_DISTRIBUTIONS, ...own }
  const held = Object.hasOwn(all, name) ? all[name] : undefined
  if (!held) {
    const meant = nearest(name, Object.keys(all))
    throw new HermesError('INVALID_OPTION', `Unknown distribution of toolsets: ${name}`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Distributions: ${Object.keys(all).join(', ')}.`,
    })
  }
  selectToolsets(Object.keys(held))
  return held
}

/**
 * Draws the toolsets to enable for a transcript: each by its own chance; if none is drawn, the likeliest one.
 *
 * @param id identifies the transcript
 */
export function drawToolsets({ distribution, seed }: ToolsetDraw, id: string): string[] {
  const names = Object.keys(distribution)
  const drawn = names.filter((name) => chanceOf(`${seed} ${id} ${name}`) < (distribution[name] ?? 0) / 100)
  if (drawn.length > 0) return drawn
  return names.toSorted((a, b) => (distribution[b] ?? 0) - (distribution[a] ?? 0)).slice(0, 1)
}

/** A number from 0 to below 1, determined by the text alone. */
function chanceOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
