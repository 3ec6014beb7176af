import type { AnyVerb, PromptDialect, Vocabulary } from '../../../0-contracts/src/index.js'

/** The block formats that a prompt can teach. */
export const PROMPT_FORMATS = ['sham', 'envelope', 'tool_call'] as const
export type PromptFormat = (typeof PROMPT_FORMATS)[number]

export interface PromptOptions {
  format: PromptFormat
  /** Calls as that dialect writes them, in place of the format's. */
  dialect?: PromptDialect | undefined
  /** What the blocks may call. */
  verbs: readonly AnyVerb[]
  /** How the root is written in absolute paths: itself, or an alias such as `/workspace`. */
  root: string
  /** SHAM blocks may have relative paths too. */
  relativePaths?: boolean
  /** Verbs in a line each: without the descriptions of parameters and without rules. */
  short?: boolean
}

/** The vocabulary that goes with a format where nothing else is asked for. */
export const VOCABULARY_OF: Readonly<Record<PromptFormat, Vocabulary>> = {
  sham: 'clada', envelope: 'hermes', tool_call: 'core',
}
