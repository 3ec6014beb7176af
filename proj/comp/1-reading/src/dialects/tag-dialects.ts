import type { NamedDialect } from '../../../0-contracts/src/index.js'
import type { Dialect, ElementsForm, TagForm } from './dialect.js'

/** Parameters of Cline's and Roo Code's tools. */
const KEYS = [
  'path', 'content', 'diff', 'command', 'requires_approval', 'regex', 'file_pattern', 'recursive', 'line', 'line_count',
  'search', 'replace', 'start_line', 'end_line', 'use_regex', 'ignore_case', 'cwd', 'timeout', 'task_progress',
  'server_name', 'tool_name', 'arguments', 'uri', 'action', 'url', 'coordinate', 'text', 'size',
].join('|')

/** `<TOOL><KEY>value</KEY></TOOL>` */
function tool(name: string): ElementsForm {
  return {
    kind: 'elements', opens: `<${name}>`, head: new RegExp(`<(?<name>${name})>\\s*(?=\\S)`, 'y'),
    fieldOpens: new RegExp(`<(?:${KEYS})>`, 'y'), field: new RegExp(`<(?<key>${KEYS})>`, 'y'), close: `</${name}>`,
    isPadded: true, ...(name === 'write_to_file' && { keepsEnd: 'content' }),
    ...(name === 'execute_command' && { isCommand: true }),
  }
}

/** Tools of both Cline and Roo Code. No verb does what the last four do; the mapping says why. */
const SHARED = [
  'write_to_file', 'execute_command', 'read_file', 'search_files', 'list_files', 'list_code_definition_names',
  'use_mcp_tool', 'access_mcp_resource', 'browser_action',
]
const SHAPE = '<write_to_file>\\n<path>PATH</path>\\n<content>\\ntext\\n</content>\\n</write_to_file>'

/** Attributes; in quotes `<` and `>` are allowed (a description with an arrow), but no further quotes. */
const ATTRIBUTES = '(?:="[^"]*"(?=[\\s/>])|=(?!")|[^<>"=])*'

/** @param when what the attributes must contain */
function tag(
  name: string, verb: string, attributes: TagForm['attributes'], more: Pick<TagForm, 'body' | 'fixed' | 'isCommand'>,
  when = '',
): TagForm {
  return {
    kind: 'tag', opens: `<${name}`,
    head: new RegExp(`<${name}(?=${ATTRIBUTES}?\\s${when})(?<attributes>[ \\t]${ATTRIBUTES})>`, 'y'),
    verb, attributes, close: `</${name}>`, ...more,
  }
}

const TEXT = { body: 'content' }

function named(name: NamedDialect, title: string, forms: Dialect['forms'], shape: string, source: string): Dialect {
  return { name, named: name, title, wrappers: [], forms, shape, source }
}

/** Dialects of harnesses that use tags which may also occur in HTML and XML. */
export const TAG_DIALECTS: readonly Dialect[] = [
  named('cline', 'Cline', [...SHARED, 'replace_in_file'].map(tool), SHAPE, "Cline's system prompt"),
  named(
    'roo', 'Roo Code', [...SHARED, 'apply_diff', 'insert_content', 'search_and_replace'].map(tool), SHAPE,
    "Roo Code's system prompt",
  ),
  named('bolt', 'bolt.new', [
    tag('boltAction', 'fs.writeFile', { type: '', filePath: 'path', contentType: '' }, TEXT, 'type="file"'),
    tag('boltAction', 'exec', { type: '' }, { body: 'code', fixed: { lang: 'bash' }, isCommand: true }, 'type="shell"'),
  ], '<boltAction type="file" filePath="PATH">text</boltAction>', "bolt.new's system prompt"),
  named('dyad', 'dyad', [
    tag('dyad-write', 'fs.writeFile', { path: 'path', description: '' }, TEXT),
    tag('dyad-delete', 'fs.deleteFile', { path: 'path' }, {}),
    tag('dyad-rename', 'fs.moveFile', { from: 'sourcePath', to: 'destinationPath' }, {}),
  ], '<dyad-write path="PATH" description="…">text</dyad-write>', "dyad's system prompt"),
  named('lovable', 'Lovable', [
    tag('lov-write', 'fs.writeFile', { file_path: 'path', path: 'path' }, TEXT),
    tag('lov-delete', 'fs.deleteFile', { file_path: 'path', path: 'path' }, {}),
    tag('lov-rename', 'fs.moveFile', { original_file_path: 'sourcePath', new_file_path: 'destinationPath' }, {}),
  ], '<lov-write file_path="PATH">text</lov-write>', "Lovable's system prompt"),
  named('file-path', 'the tag file', [tag('file', 'fs.writeFile', { path: 'path' }, TEXT, 'path=')],
    '<file path="PATH">text</file>', 'Prompts that pack a repository into one text'),
  named('plandex', 'Plandex', [
    tag('PlandexBlock', 'exec', { lang: '', path: '' }, { body: 'code', fixed: { lang: 'bash' }, isCommand: true },
      'path="_apply\\.sh"'),
    tag('PlandexBlock', 'write_file', { lang: '', path: 'path' }, { ...TEXT, fixed: { create_directories: 'true' } },
      'path="(?!_apply\\.sh")'),
  ], '<PlandexBlock lang="LANG" path="PATH">text</PlandexBlock>', 'Plandex: prompts of its implementer'),
  named('functionary', 'Functionary', [{
    kind: 'json', opens: 'functools', head: /functools\s*(?=\[)/y, closes: [],
    keys: [{ name: 'name', arguments: 'arguments' }], isCommand: true,
  }], 'functools[{"name": "…", "arguments": {…}}]', 'Functionary v1 and Phi-4-mini: chat templates'),
]
