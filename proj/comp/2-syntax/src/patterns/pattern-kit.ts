import type { DefinitionKind } from '../definition.js'

/** What defines a name, in one line: the group `name`; `container` before it, if it is written there. */
export interface LinePattern {
  kind: DefinitionKind
  pattern: RegExp
}

/** What is known of a language without its grammar. */
export interface LinePatterns {
  lines: readonly LinePattern[]
  /** What begins a comment that goes to the end of the line. */
  comment?: readonly string[]
  /** Comments over several lines. */
  block?: readonly (readonly [open: string, close: string])[]
  /** What may stand in a name besides letters, digits and `_`. */
  inNames?: string
  /** Case does not count. */
  ignoreCase?: true
}

const kinds = (flags: string) => (kind: DefinitionKind, ...patterns: readonly string[]): LinePattern[] => (
  patterns.map((pattern) => ({ kind, pattern: new RegExp(`^${pattern}`, flags) }))
)
export const lines = kinds('du')
export const anyCase = kinds('diu')
export const NAME = '(?<name>[\\p{L}_][\\p{L}\\p{N}_]*)'
export const LISP_NAME = '(?<name>[^\\s()\\[\\]{}"\';`,]+)'
export const C_COMMENT = { comment: ['//'], block: [['/*', '*/']] } as const
/** A function of the family of C, with its type before it; a call, `return` and `else if` are none. */
export const C_FUNCTION = `(?!\\s*(?:return|else|new|throw|await|case|if|for|while|switch|catch|assert|yield)\\b)`
  + `\\s*(?:[\\p{L}_][\\p{L}\\p{N}_:<>,?\\[\\]*& ]*[\\s*&>\\]])${NAME}\\s*(?:<[^<>]*>)?\\([^;=]*(?:\\)|,|\\()\\s*`
  + `(?:async\\*?|sync\\*|const|noexcept|override)?\\s*(?:\\{.*|=>.*)?$`
