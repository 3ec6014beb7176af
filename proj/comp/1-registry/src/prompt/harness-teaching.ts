import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { writeCall, writeSearchReplace, type CallWriting } from '../../../1-reading/src/index.js'
import { parameterDefinitions, type ParameterDefinition } from '../registry/index.js'
import { oneLine } from '../registry/type-words.js'
import { MARKDOWN, TOOL_CALL_PLACE, type Teaching } from './formats.js'

/** The call format of a harness, whose tools have their own names and parameters. */
export interface HarnessTeaching extends Teaching {
  /** Description of a tool in place of a verb; `undefined` where the harness has no equivalent. */
  entry(verb: AnyVerb): string | undefined
}

/** aider's SEARCH/REPLACE blocks, which can only edit. */
export const AIDER: HarnessTeaching = {
  intro: 'Each change of a file is a SEARCH/REPLACE block: the path alone on a line, and below it a code fence with '
    + '`<<<<<<< SEARCH`, the lines as they are, `=======`, the new lines, and `>>>>>>> REPLACE`.',
  rules: (root) => [
    'The lines to search for are copied exactly and whole, enough of them to stand in one place only.',
    'An empty SEARCH creates a file, an empty REPLACE deletes the lines.',
    `Paths start at the project, ${root}.`, MARKDOWN,
  ],
  example: (_, args) => {
    const [path, old, fresh] = ['path', 'old_text', 'new_text'].map((key) => String(args[key]))
    return writeSearchReplace(path!, old!, fresh!)
  },
  form: writeSearchReplace('PATH', 'old lines\n', 'new lines\n'),
  entry: ({ name }) => (
    name === 'edit_replace' ? 'Blocks create and change files; nothing else can be asked for.' : undefined
  ),
}

const ELEMENTS: CallWriting = {
  call: '<%name>\n%fields</%name>', field: '<%key>%value</%key>\n',
  tools: { open: '', each: '', between: '', close: '' },
}

/** Cline's tools, by the verb whose description they use; `keys`: Cline's parameter names. */
const CLINE_TOOLS: Readonly<Record<string, { tool: string; keys: Readonly<Record<string, string>> }>> = {
  execute_command: { tool: 'execute_command', keys: { command: 'command' } },
  read_file: { tool: 'read_file', keys: { path: 'path', start_line: 'start_line', end_line: 'end_line' } },
  write_file: { tool: 'write_to_file', keys: { path: 'path', content: 'content' } },
  edit_replace: { tool: 'replace_in_file', keys: { path: 'path' } },
  search_files: { tool: 'search_files', keys: { path: 'path', regex: 'query', file_pattern: 'pattern' } },
  list_directory: { tool: 'list_files', keys: { path: 'path', recursive: 'recursive' } },
}
const DIFF = '- `diff` (text) Blocks of `------- SEARCH`, the lines as they are, `=======`, the new lines, '
  + '`+++++++ REPLACE`.'

/** Cline's calls as elements. */
export const CLINE: HarnessTeaching = {
  intro: 'A call is an element with the name of the tool; in it stands an element for each parameter.',
  rules: (root) => [
    TOOL_CALL_PLACE,
    'The text of a parameter stands between its tags as it is: nothing is escaped. The lines of `content` and `diff` '
      + 'begin below their tag.',
    `Relative paths start at the project, ${root}.`, MARKDOWN,
  ],
  example: (verb, args, index) => clineCall(verb, args, index),
  form: '<TOOL>\n<PARAMETER>value</PARAMETER>\n</TOOL>',
  entry(verb) {
    const known = CLINE_TOOLS[verb.name]
    if (!known) return undefined
    const definitions = parameterDefinitions(verb.args)
    const lines = Object.entries(known.keys).map(([key, own]) => parameterLine(key, definitions[own]))
    return [
      `### ${known.tool}`, '', verb.description, ...lines, ...(verb.name === 'edit_replace' ? [DIFF] : []),
    ].join('\n')
  },
}

/** A call of a core tool, written as one of Cline's. */
function clineCall(verb: string, args: Readonly<Record<string, unknown>>, index: number): string {
  // With an empty search text, Cline's edit would not create a file.
  if (verb === 'edit_replace' && args['old_text'] === '') {
    return clineCall('write_file', { path: args['path'], content: args['new_text'] }, index)
  }
  const { tool, keys } = CLINE_TOOLS[verb] ?? { tool: verb, keys: {} }
  const own = Object.entries(keys).flatMap(([key, name]) => (args[name] === undefined ? [] : [[key, args[name]]]))
  const written = Object.fromEntries(own) as Record<string, unknown>
  if (typeof written['content'] === 'string') written['content'] = `\n${written['content']}`
  if (verb === 'edit_replace') {
    const [old, fresh] = [args['old_text'], args['new_text']].map(String)
    written['diff'] = `\n------- SEARCH\n${old}=======\n${fresh}+++++++ REPLACE\n`
  }
  return writeCall(ELEMENTS, tool, written, index)
}

function parameterLine(key: string, { required = false, description = '' }: Partial<ParameterDefinition> = {}): string {
  return `- \`${key}\`${required ? '' : ' (optional)'} ${oneLine(description)}`
}
