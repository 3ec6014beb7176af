import { EDIT_FORMATS } from './edit-formats.js'
import type { HermesOptions } from './options.js'
import type { KeptReading } from './policy.js'
import type { ReadFormat } from './read-formats.js'

/** The toolset that also enables the edit formats. */
const EDIT_TOOLSET = 'edit-formats'

/** What a run with these options reads besides hermes' own blocks. */
export function formatsOf(
  { editFormats, toolsets }: Pick<HermesOptions, 'editFormats' | 'toolsets'>, kept?: KeptReading,
): readonly ReadFormat[] {
  if (editFormats) return editFormats
  const byToolset = toolsets?.includes(EDIT_TOOLSET) ? EDIT_FORMATS : []
  return [...new Set([...byToolset, ...kept?.formats.map(({ value }) => value) ?? []])]
}
