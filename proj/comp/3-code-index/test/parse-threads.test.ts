import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import { expect, it } from 'vitest'
import { bundleForNode } from '../../../test/support/bundle.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { ParserHere, readerHere, type TextRead } from '../src/parse-text.js'
import { ParserInThreads } from '../src/parse-threads.js'
import { passagesIn } from '../src/passages/index.js'
import { languageOf } from '../../2-syntax/src/index.js'

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))
const SOURCES = [
  ['a.py', 'class Parser:\n  """Reads headers."""\n  def readHeader(self): pass\n'],
  ['b.ts', '/** Écrit. */\nexport function write(): void {}\n'],
  ['c.md', '# One\ntext\n\n## Two\nmore\n'],
  ['d.bin', 'a\0b'],
].map(([path = '', text = '']) => {
  const language = languageOf(path)
  return { text, ...(language && { language }), passages: { path, shown: `src/${path}` } }
})

it('reads the same in threads as here', async () => {
  const out = mkdtempSync(join(REPOSITORY, 'node_modules', '.test-'))
  try {
    const script = await bundleForNode(join(REPOSITORY, 'proj', 'src', 'parse-thread.ts'), out, { inOne: true })
    const read = async (parser: ParserHere | ParserInThreads): Promise<unknown[]> => {
      const found = new Map<string, unknown>()
      try {
        await parser.each(SOURCES, async (source, reader) => {
          const { parsed, passages } = await reader.read(source)
          const again = parsed && await reader.read({ ...source, record: parsed.record })
          expect(again?.parsed).toBeUndefined()
          if (again) expect(again.passages).toEqual(passages)
          const { terms, starts, postings, numbers, labels } = passages!
          const lists = [starts, postings, numbers, labels, parsed?.record ?? []].map((list) => [...list])
          found.set(source.passages.path, [terms, lists, parsed?.isBroken])
        })
      } finally {
        if (parser instanceof ParserInThreads) await parser.end()
      }
      return SOURCES.map(({ passages: { path } }) => found.get(path))
    }
    const here = await read(new ParserHere())
    expect(JSON.stringify(here)).toContain('"read"')
    expect(await read(new ParserInThreads(script, new AbortController().signal))).toEqual(here)
  } finally {
    removeSync(out)
  }
})

it('cuts a text that ends its thread at blank lines, and reads what comes then here', async () => {
  const script = join(tempDir(), 'ends.cjs')
  writeFileSync(script, "require('node:worker_threads').parentPort.on('message', () => process.exit(1))\n")
  const parser = new ParserInThreads(script, new AbortController().signal)
  const [source] = SOURCES as [typeof SOURCES[number]]
  const { text, passages } = source
  const plain = passagesIn({ ...passages, text })
  const found: TextRead[] = []
  try {
    await parser.each(Array.from({ length: 40 }, () => source), async (each, reader) => {
      found.push(await reader.read(each))
    })
  } finally {
    await parser.end()
  }
  expect(found[0]).toMatchObject({ parsed: { isTimeout: true, record: new Uint8Array() }, passages: plain })
  expect(found.at(-1)).toEqual(await readerHere().read(source))
  expect(found.at(-1)?.passages).not.toEqual(plain)
})
