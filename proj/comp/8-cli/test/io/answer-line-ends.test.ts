import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { readTree, writeTree, type FileTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { anyAnswer, withoutCommands } from '../../../5-executor/test/executor/answers.js'
import { foundTree } from '../../../5-executor/test/executor/trees.js'
import { Hermes } from '../../../5-executor/src/index.js'
import { shamBlock } from '../../../1-registry/src/index.js'
import { readInput } from '../../src/io/read-input.js'

const cli = useCli()
const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
const FORMATS = ['--edit-format', 'search-replace', '--edit-format', 'v4a', '--edit-format', 'whole', '--root-alias', '/w']

/** A block of each format; one of them quotes a block. */
const ANSWER = [
  shamBlock('one', 'file_append', { path: '/w/a.txt', content: 'three\nfour\n' }),
  shamBlock('two', 'file_write', { path: '/w/new.md', content: `Quoted:\n${shamBlock('in', 'ls', { path: '/w' })}\nend\n` }),
  shamBlock('two', 'file_replace_text', { path: '/w/b.txt', old_text: 'b\nc', new_text: 'B\nC' }),
  '```yaml hermes\nverb: fs.writeFile\narguments:\n  path: y.txt\n  content: |\n    y\n    z\n```',
  '<tool_call>\n{"name": "write_file",\n"arguments": {"path": "t.txt", "content": "t\\r\\nu\\n"}}\n</tool_call>',
  'b.txt\n<<<<<<< SEARCH\na\n=======\nA\nA2\n>>>>>>> REPLACE',
  '*** Begin Patch\n*** Add File: p.txt\n+p\n+q\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch',
  'whole.txt\n```\nw\nx\n```', '',
].join('\n\n')
const BEFORE = { 'a.txt': 'one\ntwo\n', 'b.txt': crlf('a\nb\nc\n') }
const AFTER: FileTree = {
  'a.txt': 'one\n2\nthree\nfour\n', 'b.txt': crlf('A\nA2\nB\nC\n'), 'p.txt': 'p\nq\n', 't.txt': 't\r\nu\n', 'whole.txt': 'w\nx\n', 'y.txt': 'y\nz\n',
  'new.md': `Quoted:\n${shamBlock('in', 'ls', { path: '/w' })}\nend\n`,
}

it.each<[string, string[], string | undefined, string]>([
  ['a file of CRLF', ['../answer.md'], undefined, crlf(ANSWER)], ['standard input of CRLF', ['-'], crlf(ANSWER), ''],
  ['a file of CRLF with a byte order mark', ['../answer.md'], undefined, `\ufeff${crlf(ANSWER)}`], ['a file of LF', ['../answer.md'], undefined, ANSWER],
])('%s leaves the files of the answer', async (_, args, input, file) => {
  const cwd = join(tempDir(), 'root')
  writeTree(cwd, BEFORE)
  writeFileSync(join(cwd, '../answer.md'), file)
  const { exitCode, stdout } = await cli.run(['apply', ...args, ...FORMATS], { cwd, ...(input !== undefined && { input }) })
  expect(stdout).toMatch(/^8 of 8 blocks succeeded/m)
  expect([exitCode, readTree(cwd)]).toEqual([0, AFTER])
})

it('an answer of mixed line ends keeps its bytes', async () => {
  const cwd = tempDir()
  const text = shamBlock('one', 'file_write', { path: '/w/a.txt', content: 'a\r\nb\r\n' })
  await cli.run(['apply', '-', '--root-alias', '/w'], { cwd, input: `Now.\r\n\r\n${text}\n` })
  expect(readTree(cwd)).toEqual({ 'a.txt': 'a\r\nb\r\n' })
})

it('what is mended keeps the line ends of the answer', async () => {
  const cwd = tempDir()
  const text = crlf('#!SHAM [@three-char-SHA-256: abc]\naction = "file_read"\npath = /w/a.txt\n#!END_SHAM_abc\n')
  const { stdout } = await cli.run(['mend', '-', '--root-alias', '/w'], { cwd, input: text })
  expect(stdout).toBe(text.replace('/w/a.txt', '"/w/a.txt"'))
})

it('any answer leaves the same files and results, saved with LF or with CRLF', async () => {
  await fc.assert(fc.asyncProperty(anyAnswer, async (text) => {
    // Line ends that are mixed already, or a lone CR, are content.
    fc.pre(!text.includes('\r'))
    const [one, other] = await Promise.all([text, crlf(text)].map(async (saved) => {
      const directory = tempDir()
      const root = join(directory, 'root')
      mkdirSync(root)
      const file = join(tempDir(), 'answer.md')
      writeFileSync(file, saved)
      const hermes = new Hermes({ ...withoutCommands(root), gitCommit: false })
      const { results, parseErrors, skipped } = await hermes.execute(await readInput('apply', file).catch(() => ''))
      await hermes[Symbol.asyncDispose]()
      return { tree: foundTree(root), results: results.map(({ blockId, params, success, code }) => ({ blockId, params, success, code })), parseErrors, skipped }
    }))
    expect(other).toEqual(one)
  }), { numRuns: Number(process.env['RUNS'] ?? 40) })
})
