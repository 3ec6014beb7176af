import { EDIT_FORMATS, type EditFormat } from './edit-formats.js'

/**
 * Dialects of harnesses that are read only where they are enabled by name, since ordinary prose and code may contain
 * what opens a call in them.
 */
export const NAMED_DIALECTS = [
  'cline', 'roo', 'bolt', 'dyad', 'lovable', 'file-path', 'functionary', 'gptme', 'tool-code', 'mini-swe-agent',
  'swe-agent', 'smolagents', 'plandex', 'react', 'bare-json', 'pythonic',
] as const

/** Name of a dialect that is read only where it is asked for: its calls would otherwise be ordinary text. */
export type NamedDialect = (typeof NAMED_DIALECTS)[number]

export function isNamedDialect(name: string): name is NamedDialect {
  return (NAMED_DIALECTS as readonly string[]).includes(name)
}

/** Groups: names that stand for several formats, such as a harness whose models write edit formats. */
const STANDS_FOR = {
  aider: EDIT_FORMATS,
  continue: ['whole'],
  /** All formats that name a path and hold no command. */
  auto: ['auto', ...EDIT_FORMATS],
} as const satisfies Readonly<Record<string, readonly (EditFormat | 'auto')[]>>

/** Dialects that a prompt can teach. */
export const PROMPT_DIALECTS = [
  'aider', 'anthropic', 'cline', 'deepseek', 'glm', 'harmony', 'hermes', 'kimi', 'llama', 'mistral', 'qwen3-coder',
] as const

export type PromptDialect = (typeof PROMPT_DIALECTS)[number]

/** What can be read besides hermes' own blocks. */
export type ReadFormat = EditFormat | NamedDialect | keyof typeof STANDS_FOR

/** The formats, with those that group names stand for. */
export function allFormats(formats: readonly ReadFormat[]): ReadonlySet<ReadFormat> {
  return new Set(formats.flatMap((format): readonly ReadFormat[] => (
    Object.hasOwn(STANDS_FOR, format) ? STANDS_FOR[format as keyof typeof STANDS_FOR] : [format])))
}

export const READ_FORMATS: readonly ReadFormat[] = [
  ...EDIT_FORMATS, ...NAMED_DIALECTS, ...Object.keys(STANDS_FOR) as (keyof typeof STANDS_FOR)[],
]
