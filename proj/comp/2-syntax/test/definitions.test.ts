import { describe, expect, it } from 'vitest'
import { findIdentifiers, GRAMMAR_IDS, languageOf, parseDefinitions, ParseTime } from '../src/index.js'
import { DEEP, NAMED } from './deep-code.js'

/** However busy the machine is. */
const patient = (): ParseTime => new ParseTime(Infinity, Infinity)

describe('parseDefinitions', () => {
  it.each(GRAMMAR_IDS)('%s: an empty text has none', async (language) => {
    expect(await parseDefinitions(language, '')).toEqual([])
  })

  it.each(GRAMMAR_IDS)('%s: 10,000 levels', async (language) => {
    const [text, count] = DEEP[language]
    const definitions = await parseDefinitions(language, text, patient())
    expect(definitions).toHaveLength(count)
    expect(definitions.at(-1)?.container?.split('.').length ?? 0).toBeLessThanOrEqual(20)
  })

  it('code with errors gives what can be made out', async () => {
    const broken = 'function first() {}\nconst = = 3 (\nclass Whole { method() {} }\nfunction last( {'
    const names = (await parseDefinitions('typescript', broken)).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['first', 'Whole', 'method']))
  })

  it('counts columns in UTF-16 units, and neither a byte order mark nor CR', async () => {
    const lines = '\ufeffconst a = "😀", b = 1\r\nlet ünï = 2\r\n'
    expect(await parseDefinitions('typescript', lines)).toMatchObject([
      { name: 'a', nameLine: 1, nameColumn: 7, endLine: 1, endColumn: 15 },
      { name: 'b', nameLine: 1, nameColumn: 17 },
      { name: 'ünï', nameLine: 2, nameColumn: 5, endLine: 2, endColumn: 12 },
    ])
    expect(await parseDefinitions('python', NAMED)).toMatchObject([{ name: 'Größe' }, { name: '測定', nameColumn: 9 }])
  })

  it('ends a definition before the line break after it', async () => {
    expect(await parseDefinitions('c', '#define A 1\r\n#define B(x) \\\n  x\n')).toMatchObject([
      { name: 'A', endLine: 1, endColumn: 12 }, { name: 'B', startLine: 2, endLine: 3, endColumn: 4 },
    ])
  })

  it('refuses a text over 1,048,576 characters, and takes one of that length', async () => {
    // Mostly blanks: how long many definitions take depends on what else the machine does.
    const most = 'let a = 1\n'.repeat(1000).padEnd(1024 * 1024, ' ')
    await expect(parseDefinitions('typescript', `${most} `)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect(await parseDefinitions('typescript', most)).toHaveLength(1000)
  })

  it('survives code that breaks the parser, and parses on', async () => {
    const broken = `<?php ${'([{'.repeat(5000)}`
    const outcome = await parseDefinitions('php', broken).catch((error: { code: string }) => error.code)
    expect(['FILE_TOO_LARGE', 'TIMEOUT']).toContain(outcome)
    expect(await parseDefinitions('php', '<?php function f() {}')).toMatchObject([{ name: 'f' }])
  })

  it('many at once', async () => {
    const all = await Promise.all(GRAMMAR_IDS.map((language) => parseDefinitions(language, DEEP[language][0], patient())))
    expect(all.map(({ length }) => length)).toEqual(GRAMMAR_IDS.map((language) => DEEP[language][1]))
  })
})

describe('findIdentifiers', () => {
  it('finds names, not parts of names, strings or comments', async () => {
    const text = 'const name = 1 // name\nother.name = "name" + names + `${name}`\ntype T = { name: name }\n'
    expect(await findIdentifiers('typescript', text, 'name')).toEqual([
      { line: 1, column: 7 }, { line: 2, column: 7 }, { line: 2, column: 34 }, { line: 3, column: 12 }, { line: 3, column: 18 },
    ])
  })

  it('PHP: with or without $', async () => {
    const text = '<?php $size = 1; echo $this->size; // $size'
    const places = [{ line: 1, column: 8 }, { line: 1, column: 30 }]
    expect(await findIdentifiers('php', text, 'size')).toEqual(places)
    expect(await findIdentifiers('php', text, '$size')).toEqual(places)
  })
})

it.each([
  ['a.ts', 'typescript'], ['a.d.mts', 'typescript'], ['a.tsx', 'tsx'], ['A.JSX', 'javascript'], ['a.cjs', 'javascript'],
  ['a.pyi', 'python'], ['a.go', 'go'], ['a.rs', 'rust'], ['A.java', 'java'], ['a.c', 'c'], ['a.h', 'cpp'], ['a.cc', 'cpp'],
  ['a.cs', 'csharp'], ['a.rb', 'ruby'], ['a.php', 'php'], ['a.kt', 'kotlin'],
  ['build.gradle.kts', 'kotlin'], ['a.swift', 'swift'], ['a.scala', 'scala'], ['a.exs', 'elixir'], ['a.lua', 'lua'], ['a.sh', 'bash'], ['a.txt', undefined], ['ts', undefined], ['.ts', undefined],
  ['dir.ts/readme', undefined], ['C:\\x\\a.py', 'python'],
])('languageOf(%s) is %s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})
