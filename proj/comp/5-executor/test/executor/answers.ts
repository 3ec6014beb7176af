import fc from 'fast-check'
import { markerSoup } from '../../../../test/support/marker-soup.js'
import { VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../src/verbs/index.js'
import type { ExecutorOptions } from '../../src/executor/index.js'
import { plantTree, type Tree } from './trees.js'

/** What answers made here find in the root; the soup's own blocks list `/a`. */
const TREE: Tree = { 'a.txt': 'one\ntwo\n', 'b/c.txt': 'three\r\n', 'b/link': { link: '../a.txt' }, 'empty/': '' }
const PATHS = ['a.txt', 'b', 'b/c.txt', 'b/link', 'empty', 'new/x.txt', 'gone.txt', '.', '../out.txt', '.git/config', 'a.txt/x']

const path = fc.constantFrom(...PATHS).map((name) => `/a/${name}`)
const words = fc.oneof(markerSoup, fc.constantFrom('one', 'two\n', 'x', ''))
const call = fc.oneof(
  fc.record({ action: fc.constantFrom('file_write', 'file_append'), path, content: words }),
  fc.record({
    action: fc.constantFrom('file_replace_text', 'file_replace_all_text'), path, old_text: words, new_text: words,
  }),
  fc.record({
    action: fc.constantFrom('file_read', 'file_delete', 'dir_create', 'dir_delete', 'ls', 'file_read_numbered', 'no_such'),
    path,
  }),
  fc.record({ action: fc.constant('file_move'), old_path: path, new_path: path }),
  fc.record({
    action: fc.constant('file_replace_lines'), path, lines: fc.constantFrom('1', '1-2', '9', 'x'), new_content: words,
  }),
)
const format = fc.constantFrom<(call: Record<string, string>) => string>(
  ({ action, ...args }) => `<tool_call>${JSON.stringify({ name: action, arguments: args })}</tool_call>`,
  ({ action, ...args }) => `\`\`\`json hermes\n${JSON.stringify({ verb: action, arguments: args })}\n\`\`\``,
  (fields) => {
    const lines = Object.entries(fields).map(([key, value]) => `${key} = <<'EOT_SHAM_abc'\n${value}\nEOT_SHAM_abc\n`)
    return `#!SHAM [@three-char-SHA-256: abc]\n${lines.join('')}#!END_SHAM_abc`
  },
)
const block = fc.tuple(format, call).map(([write, fields]) => `\n${write(fields)}\n`)

/** Texts of blocks, marker lines and noise. */
export const anyAnswer: fc.Arbitrary<string> = fc
  .array(fc.oneof(
    { arbitrary: block, weight: 4 },
    { arbitrary: markerSoup, weight: 1 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 50 }), weight: 1 },
    { arbitrary: fc.constant('\n<think>\nHm.\n</think>\n'), weight: 1 },
  ), { maxLength: 6 })
  .map((pieces) => pieces.join(''))

/** Options for a planted root under the alias `/a`, with every verb but `exec`. */
export function withoutCommands(root: string): ExecutorOptions {
  plantTree(root, TREE)
  const registry = new VerbRegistry(VERBS.filter(({ name }) => name !== 'exec'))
  return { root, rootAliases: ['/a'], registry }
}
