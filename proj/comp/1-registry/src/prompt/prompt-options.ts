import type { AnyVerb, PromptDialect, Vocabulary } from '../../../0-contracts/src/index.js'

/** Block formats that a prompt can teach. */
export const PROMPT_FORMATS = ['sham', 'envelope', 'tool_call'] as const
export type PromptFormat = (typeof PROMPT_FORMATS)[number]

export interface PromptOptions {
  format: PromptFormat
  /** Teach calls in this dialect in place of the format. */
  dialect?: PromptDialect | undefined
  /** Verbs that the blocks may call. */
  verbs: readonly AnyVerb[]
  /** The root as written in absolute paths: itself, or an alias such as `/workspace`. */
  root: string
  /** SHAM blocks may use relative paths too. */
  relativePaths?: boolean
  /** One line for each verb, without descriptions of parameters and rules. */
  short?: boolean
  /** Include the rules of verbs that their schemas do not state. */
  notes?: boolean
}

/** Default vocabulary of each format. */
export const VOCABULARY_OF: Readonly<Record<PromptFormat, Vocabulary>> = {
  sham: 'clada', envelope: 'hermes', tool_call: 'core',
}

/**
 * Verbs that a model needs to work on a project: read, write, replace, patch, delete, move, search and run; one for
 * each purpose, so that it need not choose. Where a vocabulary lacks one, it is taken from another.
 */
export const BASICS_OF: Readonly<Record<PromptFormat, readonly string[]>> = {
  sham: [
    'file_write', 'file_replace_text', 'apply_patch', 'file_delete', 'file_move', 'file_read', 'file_read_numbered',
    'ls', 'grep', 'exec',
  ],
  envelope: [
    'apply_patch', 'fs.readFile', 'fs.readRange', 'fs.writeFile', 'fs.writeRange', 'fs.deleteFile', 'fs.moveFile',
    'fs.listDir', 'proc.run', 'search_files',
  ],
  tool_call: [
    'edit_replace', 'read_file', 'write_file', 'list_directory', 'delete_file', 'move_file',
    'search_files', 'execute_command',
  ],
}
