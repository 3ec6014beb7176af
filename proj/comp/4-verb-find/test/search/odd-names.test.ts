import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

/** A name in Latin-1, as bytes. */
function latin1(root: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')])
}

/** A root with files whose names are not UTF-8, and what else lies beside them. */
function planted(): string {
  const root = tempDir()
  plant(root, { 'a.txt': 'x', 'caf\ufffd.txt': 'x' })
  writeFileSync(latin1(root, 'caf\xe9.txt'), 'x 1\n')
  mkdirSync(latin1(root, 'd\xfcr'))
  writeFileSync(latin1(root, 'd\xfcr/b.txt'), 'x 2\n')
  writeFileSync(latin1(root, 'd\xfcr/\xe9.pem'), 'x 3\n')
  return root
}

const hint = String.raw`\x and two digits are a byte of a name that is not UTF-8; files are read by the name as shown.`
const SHOWN = ['a.txt', String.raw`caf\xe9.txt`, 'caf\ufffd.txt', String.raw`d\xfcr/b.txt`]

/** On the disk and as a dry run. */
async function both(verb: string, args: object): Promise<unknown[]> {
  const root = planted()
  return Promise.all((['disk', 'overlay'] as const).map(async (kind) => {
    const hints: string[] = []
    const outcome = await runVerb(verb, args, {
      ...contextFor(root, kind, { maxMatches: 100 }), advise: (text) => hints.push(text),
    }) as { data?: unknown }
    return { ...outcome, hints }
  }))
}

describe.skipIf(process.platform !== 'linux')('names that are not UTF-8', () => {
  it('are listed by ls', async () => {
    const names = ['a.txt', String.raw`caf\xe9.txt`, 'caf\ufffd.txt', String.raw`d\xfcr`].map((name) => ({ name }))
    for (const outcome of await both('ls', { path: '/workspace' })) {
      const { data } = outcome as { data: { name: string }[] }
      expect(outcome).toMatchObject({ hints: [hint] })
      expect(data.map(({ name }) => ({ name })).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
        names.sort((a, b) => (a.name < b.name ? -1 : 1)),
      )
    }
  })

  it('are listed by list_directory, with what is below them', async () => {
    for (const outcome of await both('list_directory', { path: '.', recursive: true })) {
      const { data } = outcome as { data: { entries: { path: string }[] } }
      expect(outcome).toMatchObject({ hints: [hint] })
      expect(data.entries.map(({ path }) => path)).toEqual(expect.arrayContaining([...SHOWN, String.raw`d\xfcr`]))
    }
  })

  it('are listed by fs.listDir', async () => {
    for (const outcome of await both('fs.listDir', { path: '.' })) {
      expect(outcome).toMatchObject({ data: { entries: expect.arrayContaining([
        { name: String.raw`d\xfcr`, isDirectory: true }, { name: String.raw`caf\xe9.txt`, isDirectory: false },
      ]) as unknown } })
    }
  })

  it('are found by glob', async () => {
    for (const outcome of await both('glob', { pattern: '**/*.txt', base_path: '/workspace' })) {
      const { data } = outcome as { data: string[] }
      expect(data.sort()).toEqual(SHOWN.map((path) => `/workspace/${path}`).sort())
    }
  })

  it('are searched by grep', async () => {
    for (const outcome of await both('grep', { pattern: 'x', path: '/workspace', include: '*.txt' })) {
      const { data } = outcome as { data: { file: string }[] }
      expect(data.map(({ file }) => file).sort()).toEqual(SHOWN.map((path) => `/workspace/${path}`).sort())
    }
  })

  it('are searched by search_files, by ripgrep and without it, but what the policy denies', async () => {
    for (const args of [{}, { output: 'counts' }, { multiline: true, context_after: 1 }]) {
      const [ripgrep, plain] = await both('search_files', { query: 'x', ...args })
      expect(plain).toEqual(ripgrep)
      const { data } = ripgrep as { data: { matches: { path: string }[]; files?: { path: string }[] } }
      expect((data.files ?? data.matches).map(({ path }) => path).sort()).toEqual([...SHOWN].sort())
    }
  })

  it('are searched alone, by any output, and below rules of a directory above', async () => {
    for (const path of [String.raw`caf\xe9.txt`, String.raw`d\xfcr/b.txt`, String.raw`d\xfcr`]) {
      for (const output of ['matches', 'files', 'counts']) {
        const root = planted()
        writeFileSync(`${root}/.gitignore`, 'nothing\n')
        const outcome = await runVerb('search_files', { query: 'x', path, output }, contextFor(root, 'disk'))
        const { data } = outcome as { data: { matches: object[]; files?: object[] } }
        expect(data.files ?? data.matches, `${path} ${output}`).toHaveLength(1)
      }
    }
  })

  it('are named by semantic_search, which does not search them', async () => {
    const root = planted()
    for (const kind of ['disk', 'overlay'] as const) {
      const hints: string[] = []
      const context = { ...contextFor(root, kind), advise: (text: string) => hints.push(text) }
      expect(await runVerb('semantic_search', { query: 'roast beans' }, context)).toMatchObject({ data: { results: [] } })
      expect(hints).toEqual([String.raw`Not searched, since the name is not UTF-8: caf\xe9.txt, d\xfcr/b.txt. search_files does.`])
    }
  })

  it('are named where source code is looked through, and searched when written as path', async () => {
    const root = tempDir()
    plant(root, { 'a.py': 'def other(): pass\n' })
    writeFileSync(latin1(root, 'caf\xe9.py'), 'def latin(): pass\n')
    const context = contextFor(root, 'disk')
    const skipped = [{ path: String.raw`caf\xe9.py`, reason: 'Its name is not UTF-8: only a search of this path reads it' }]
    expect(await runVerb('find_symbol', { symbol_name: 'latin' }, context)).toMatchObject({ data: { skipped } })
    expect(await runVerb('symbol_outline', {}, context)).toMatchObject({ data: { total_symbols: 1, skipped } })
    const path = String.raw`caf\xe9.py`
    expect(await runVerb('find_symbol', { symbol_name: 'latin', path }, context)).toMatchObject({
      data: { symbols: [{ name: 'latin', path }] },
    })
  })

  it('are read by the name as shown, and not written', async () => {
    const path = String.raw`d\xfcr/b.txt`
    for (const outcome of await both('read_file', { path })) expect(outcome).toMatchObject({ data: { content: 'x 2\n' } })
    for (const outcome of await both('write_file', { path, content: '' })) {
      expect(outcome).toMatchObject({ code: 'INVALID_PARAMETER', message: String.raw`Path is not valid UTF-8: d\xfcr/b.txt` })
    }
    for (const outcome of await both('read_file', { path: String.raw`d\xfcr/\xe9.pem` })) {
      expect(outcome).toMatchObject({ code: 'POLICY_DENIED' })
    }
    for (const outcome of await both('search_files', { query: 'x', path: String.raw`d\xfcr` })) {
      expect(outcome).toMatchObject({ data: { matches: [{ path, line: 1, column: 1, text: 'x 2' }] } })
    }
  })
})
