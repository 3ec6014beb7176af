import { EDIT_FORMATS, type EditFormat } from './edit-formats.js'

/**
 * Dialects of harnesses whose calls are read only where they are named (contract section 1, 'dialects'): prose and code
 * may hold what opens them.
 */
export const NAMED_DIALECTS = [
  'cline', 'roo', 'bolt', 'dyad', 'lovable', 'file-path', 'functionary', 'gptme', 'tool-code', 'mini-swe-agent',
  'smolagents',
] as const

export type NamedDialect = (typeof NAMED_DIALECTS)[number]

export function isNamedDialect(name: string): name is NamedDialect {
  return (NAMED_DIALECTS as readonly string[]).includes(name)
}

/** What is read besides hermes' own blocks: `auto` is all that names a path and holds no command. */
export type ReadFormat = EditFormat | NamedDialect | 'auto'

/** With what `auto` stands for. */
export function withAuto(formats: readonly ReadFormat[]): ReadonlySet<ReadFormat> {
  return new Set(formats.includes('auto') ? [...formats, ...EDIT_FORMATS] : formats)
}

export const READ_FORMATS: readonly ReadFormat[] = [...EDIT_FORMATS, ...NAMED_DIALECTS, 'auto']
