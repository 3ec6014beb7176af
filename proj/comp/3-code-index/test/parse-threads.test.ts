import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundleForNode } from '../../../test/support/bundle.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { ParserHere } from '../src/parse-text.js'
import { ParserInThreads } from '../src/parse-threads.js'
import { passagesIn, plainPassages } from '../src/passages/index.js'

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))
const SOURCES = [
  ['a.py', 'class Parser:\n  """Reads headers."""\n  def readHeader(self): pass\n'],
  ['b.ts', '/** Écrit. */\nexport function write(): void {}\n'],
  ['c.md', '# One\ntext\n\n## Two\nmore\n'],
  ['d.bin', 'a\0b'],
].map(([path = '', text = '']) => ({ path, shown: `src/${path}`, text }))

it('reads the same in threads as here', async () => {
  const out = mkdtempSync(join(REPOSITORY, 'node_modules', '.test-'))
  try {
    const script = await bundleForNode(join(REPOSITORY, 'proj', 'src', 'parse-thread.ts'), out, { inOne: true })
    const read = async (parser: ParserHere | ParserInThreads): Promise<unknown[]> => {
      const found = new Map<string, unknown>()
      try {
        await parser.each(SOURCES, async (source, reader) => {
          const { terms, starts, postings, numbers, labels } = await reader.passages(source)
          const facts = await reader.facts('python', source.text)
          const lists = [starts, postings, numbers, labels, facts.record].map((list) => [...list])
          found.set(source.path, [terms, lists, facts.isBroken])
        })
      } finally {
        if (parser instanceof ParserInThreads) await parser.end()
      }
      return SOURCES.map(({ path }) => found.get(path))
    }
    const here = await read(new ParserHere())
    expect(JSON.stringify(here)).toContain('"read"')
    expect(await read(new ParserInThreads(script, new AbortController().signal))).toEqual(here)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
})

it('cuts a text that ends its thread at blank lines, and reads what comes then here', async () => {
  const script = join(tempDir(), 'ends.cjs')
  writeFileSync(script, "require('node:worker_threads').parentPort.on('message', () => process.exit(1))\n")
  const parser = new ParserInThreads(script, new AbortController().signal)
  const [source] = SOURCES as [typeof SOURCES[number]]
  const plain = plainPassages(source)
  const found: unknown[] = []
  try {
    await parser.each(Array.from({ length: 40 }, () => source), async (each, { passages }) => {
      found.push(await passages(each))
    })
  } finally {
    await parser.end()
  }
  expect(found[0]).toEqual(plain)
  expect(found.at(-1)).toEqual(await passagesIn(source))
})
