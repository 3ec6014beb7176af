import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { namesIn } from '../../../../test/support/file-tree.js'
import { markerSoup } from '../../../../test/support/marker-soup.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { execute, Hermes } from '../../src/executor/index.js'

const RUNS = Number(process.env['RUNS'] ?? 1000)
const SPELLINGS = [
  { header: '#!SHAM', word: 'EOT_SHAM_abc', end: '#!END_SHAM_abc' },
  { header: '#!NESL', word: 'EOT_NESL_abc', end: '#!END_NESL_abc' },
  { header: '#!nesl', word: 'EOT_abc', end: '#!end_abc' },
]
const content = fc.oneof(markerSoup, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 5000 }))

it('file_write writes any content of a heredoc without its own terminator line byte for byte, or not at all', async () => {
  const root = tempDir()
  const hermes = new Hermes({ root, rootAliases: ['/workspace'] })
  const property = fc.asyncProperty(
    content, fc.constantFrom(...SPELLINGS), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '```sh\n', '~~~nesl\n'),
    async (raw, { header, word, end }, eol, fence) => {
      fc.pre(!raw.split('\n').some((line) => line.trim() === word))
      // Its own header (or nearly) and then any opener inside: the next terminator may be the inner one's.
      const isDoubtful = /#.*abc[^]*<</.test(raw)
      rmSync(join(root, 'a'), { force: true })
      const lines = [`${header} [@x: abc]`, 'action = "file_write"', 'path = "/workspace/a"', `content = <<'${word}'`, raw, word, end]
      const result = await hermes.execute(`Prose.\n\n${fence}${lines.join(eol)}${eol}`)
      if (isDoubtful && !result.success) {
        expect(namesIn(root)).toEqual([])
        return
      }
      expect(result).toMatchObject({ success: true, executedActions: 1 })
      expect(result.results[0]?.data).toEqual({ path: '/workspace/a', bytesWritten: Buffer.byteLength(raw) })
      expect(readFileSync(join(root, 'a')).equals(Buffer.from(raw))).toBe(true)
    },
  )
  await fc.assert(property, { numRuns: RUNS })
})

it.each(['a\ud800b', '\udc00', 'é\ud83d'])('halves of a surrogate pair have no bytes and are refused: %j', async (raw) => {
  const root = tempDir()
  const head = ['#!SHAM [@x: abc]', 'action = "file_write"', 'path = "/w/a"', "content = <<'EOT_SHAM_abc'"]
  const lines = [...head, raw, 'EOT_SHAM_abc', '#!END_SHAM_abc']
  const call = { name: 'file_write', arguments: { path: '/w/a', content: raw } }
  for (const answer of [lines.join('\n'), `<tool_call>${JSON.stringify(call)}</tool_call>`]) {
    const result = await execute(answer, { root, rootAliases: ['/w'] })
    expect(result).toMatchObject({ success: false, executedActions: 0, results: [{ code: 'INVALID_PARAMETER' }] })
  }
  expect(namesIn(root)).toEqual([])
})
