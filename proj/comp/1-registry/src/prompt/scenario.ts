import type { AnyVerb } from '../../../0-contracts/src/index.js'

export interface Step {
  /** What the example demonstrates. */
  title: string
  verb: string
  args: Record<string, unknown>
}

type Place = (path: string) => string
interface Planned extends Step {
  /** Verbs whose examples must precede this one for it to succeed. */
  after?: readonly string[]
  /** Left out if this verb is included, whose example shows the same. */
  unless?: string
}

const GREET = "export function greet(name) {\n  return 'Hello, ' + name\n}\n"
/** A patch of a file as the previous step left it. */
const PATCH = [
  '*** Begin Patch', '*** Update File: src/greet.js', '@@ export function greet(name) {',
  '-  return `Hello, ${name}!`', "+  return `Hello, ${name || 'you'}!`", '*** End Patch',
].join('\n')

/** A small task in the verbs of each vocabulary. Run in order, it succeeds in any directory. */
function plans(place: Place): Readonly<Record<string, readonly Planned[]>> {
  const greet = place('src/greet.js')
  const patch = (...after: string[]): Planned => (
    { title: 'Patch files', verb: 'apply_patch', after, args: { patch: PATCH } }
  )
  return {
    clada: [
      { title: 'Write a file', verb: 'file_write', args: { path: greet, content: GREET } },
      {
        title: 'Replace text', verb: 'file_replace_text', after: ['file_write'],
        args: { path: greet, old_text: "'Hello, ' + name", new_text: '`Hello, ${name}!`' },
      },
      patch('file_write', 'file_replace_text'),
      { title: 'List a directory', verb: 'ls', unless: 'file_write', args: { path: place('.') } },
      { title: 'Search', verb: 'grep', args: { pattern: 'greet', path: place('.') } },
      { title: 'Run code', verb: 'exec', args: { lang: 'bash', code: 'ls -a' } },
    ],
    hermes: [
      { title: 'Write a file', verb: 'fs.writeFile', args: { path: 'src/greet.js', content: GREET } },
      {
        title: 'Replace lines, both ends included', verb: 'fs.writeRange', after: ['fs.writeFile'],
        args: { path: 'src/greet.js', content: '  return `Hello, ${name}!`', startLine: 2, endLine: 2 },
      },
      patch('fs.writeFile', 'fs.writeRange'),
      { title: 'List a directory', verb: 'fs.listDir', unless: 'search_files', args: { path: '.' } },
      { title: 'Look whether something is there', verb: 'fs.exists', args: { path: 'package.json' } },
      { title: 'Run a program', verb: 'proc.run', args: { executable: 'ls', arguments: ['-a', '.'] } },
    ],
    core: [
      {
        title: 'Write a file', verb: 'write_file',
        args: { path: 'src/greet.js', content: GREET, create_directories: true },
      },
      {
        title: 'Replace lines', verb: 'edit_replace', after: ['write_file'],
        args: {
          path: 'src/greet.js', old_text: "  return 'Hello, ' + name\n", new_text: '  return `Hello, ${name}!`\n',
        },
      },
      patch('write_file', 'edit_replace'),
      {
        title: 'Read some lines', verb: 'read_file', after: ['write_file'], unless: 'edit_replace',
        args: { path: 'src/greet.js', start_line: 1, end_line: 2 },
      },
      { title: 'List a directory', verb: 'list_directory', args: { path: '.' } },
      { title: 'Search', verb: 'search_files', args: { query: 'greet', path: '.' } },
      { title: 'Run a command', verb: 'execute_command', args: { command: 'ls -a' } },
    ],
    edits: [
      {
        title: 'Create a file', verb: 'edit_replace', unless: 'write_file',
        args: {
          path: 'src/part.js', old_text: '', new_text: "export function part(name) {\n  return 'Bye, ' + name\n}\n",
        },
      },
      {
        title: 'Replace lines', verb: 'edit_replace', unless: 'write_file',
        args: {
          path: 'src/part.js', old_text: "  return 'Bye, ' + name\n", new_text: '  return `Bye, ${name}!`\n',
        },
      },
    ],
  }
}

/** The steps that the enabled verbs can perform. */
export function scenario(verbs: readonly AnyVerb[], place: Place): Step[] {
  const enabled = new Set(verbs.map(({ name }) => name))
  return Object.values(plans(place)).flat().filter(({ verb, after = [], unless }) => (
    [verb, ...after].every((name) => enabled.has(name)) && !(unless !== undefined && enabled.has(unless))
  ))
}
