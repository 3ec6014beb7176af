/**
 * How a passage may differ from the text searched for, the most exact first; each also allows what those before it do.
 *
 * - `exact`: in nothing, but for the last line's own line break
 * - `trailing-space`: in line endings, and in spaces and tabs at line ends
 * - `indentation`: each line that is not blank has the same indentation more, or the same less; or, throughout, a tab
 *   where the text searched for has 4 spaces, or 2
 * - `look-alikes`: quotes, dashes and spaces are others of Unicode that look like them
 */
export const MATCH_TIERS = ['exact', 'trailing-space', 'indentation', 'look-alikes'] as const
export type MatchTier = (typeof MATCH_TIERS)[number]

/** `exact` knows the first tier only. */
export type MatchMode = 'exact' | 'tolerant'

/** The indentation that every line of a passage has more (`added`) or less (`removed`) than the text searched for. */
export interface Shift {
  added: string
  removed: string
  /** The passage is indented by a tab where the text searched for has so many spaces. */
  spacesPerTab?: number
}

export const NO_SHIFT: Shift = { added: '', removed: '' }
