import type { Vocabulary } from '../../contracts/src/index.js'

/** Core tools that take paths; no other name tells a core tool from one of clada's verbs. */
const CORE_TOOLS: ReadonlySet<string> = new Set([
  'read_file', 'write_file', 'list_directory', 'search_files', 'delete_file', 'move_file', 'execute_command',
  'execute_script', 'semantic_search', 'find_symbol', 'get_definition', 'git_status', 'git_diff', 'git_log',
  'git_commit',
])

const LISTING: Readonly<Record<Vocabulary, string>> = {
  clada: 'ls and glob show which files there are.',
  hermes: 'fs.listDir shows which files there are.',
  core: 'list_directory and search_files show which files there are.',
}

/** The vocabulary a verb is of, by its name: hints name verbs of the same. */
export function vocabularyOf(verb: string): Vocabulary {
  if (verb.includes('.')) return 'hermes'
  return CORE_TOOLS.has(verb) ? 'core' : 'clada'
}

/** What to do where a path is not known. */
export function listingHint(verb: string): string {
  return LISTING[vocabularyOf(verb)]
}
