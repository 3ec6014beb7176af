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
  /** With the rules of each verb that its schema does not state. */
  notes?: boolean
}

/** The vocabulary that goes with a format where nothing else is asked for. */
export const VOCABULARY_OF: Readonly<Record<PromptFormat, Vocabulary>> = {
  sham: 'clada', envelope: 'hermes', tool_call: 'core',
}

/**
 * What a model needs for the work on a project: to read, write, replace, patch, delete, move, search and run. One verb
 * for each, since whoever has several for one thing has to choose. A vocabulary that lacks one borrows it.
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
