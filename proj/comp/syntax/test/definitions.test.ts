import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findIdentifiers, LANGUAGE_IDS, type LanguageId, languageOf, parseDefinitions, ParseTime } from '../src/index.js'

const DEPTH = 10_000
const DEEP: Record<LanguageId, [text: string, definitions: number]> = {
  typescript: ['function f() {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  tsx: [`${'{'.repeat(DEPTH)}let x = 1${'}'.repeat(DEPTH)}`, 1],
  javascript: [`const ${'['.repeat(DEPTH)}a${']'.repeat(DEPTH)} = b`, 1],
  python: [`x = ${'('.repeat(DEPTH)}1${')'.repeat(DEPTH)}`, 1],
  go: [`package m\nfunc f() ${'{'.repeat(DEPTH)}${'}'.repeat(DEPTH)}`, 1],
  rust: [`fn f() ${'{'.repeat(DEPTH)}${'}'.repeat(DEPTH)}`, 1],
  java: ['class A {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  c: [`int ${'*'.repeat(DEPTH)}p;`, 1],
  cpp: ['namespace a {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  csharp: ['class A {'.repeat(DEPTH) + '}'.repeat(DEPTH), DEPTH],
  ruby: ['module A\n'.repeat(DEPTH) + 'end\n'.repeat(DEPTH), DEPTH],
  php: [`<?php $x = ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)};`, 1],
}

const NAMED = 'class Größe:\n    def 測定(self):\n        return "😀", x\n'

describe('parseDefinitions', () => {
  it.each(LANGUAGE_IDS)('%s: an empty text has none', async (language) => {
    expect(await parseDefinitions(language, '')).toEqual([])
  })

  it.each(LANGUAGE_IDS)('%s: 10,000 levels', async (language) => {
    const [text, count] = DEEP[language]
    const definitions = await parseDefinitions(language, text)
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
    const line = 'let a = 1\n'
    const most = line.repeat(104_857).padEnd(1024 * 1024, ' ')
    await expect(parseDefinitions('typescript', `${most} `)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect(await parseDefinitions('typescript', most)).toHaveLength(104_857)
  })

  it('survives code that breaks the parser, and parses on', async () => {
    const broken = `<?php ${'([{'.repeat(5000)}`
    const outcome = await parseDefinitions('php', broken).catch((error: { code: string }) => error.code)
    expect(['FILE_TOO_LARGE', 'TIMEOUT']).toContain(outcome)
    expect(await parseDefinitions('php', '<?php function f() {}')).toMatchObject([{ name: 'f' }])
  })

  it.each(LANGUAGE_IDS.map((language, index) => [language, '[({'[index % 3] ?? ''] as const))(
    '%s: ends over broken code (%s) that queries take long for, and parses on', async (language, bracket) => {
    const time = new ParseTime(0)
    const broken = bracket.repeat(80_000)
    const outcome = parseDefinitions(language, broken, time).catch((error: { code: string }) => error.code)
    expect([[], 'TIMEOUT', 'FILE_TOO_LARGE']).toContainEqual(await outcome)
    const places = findIdentifiers(language, `${broken} zz`, 'zz', time).catch((error: { code: string }) => error.code)
    expect(['TIMEOUT', 'FILE_TOO_LARGE', 0, 1]).toContain(await places.then((found) => (
      typeof found === 'string' ? found : found.length
    )))
    const [text, count] = DEEP[language]
    expect(await parseDefinitions(language, text)).toHaveLength(count)
  }, 120_000)

  it.each([
    ['python', 'a = '.repeat(250_000)], ['cpp', `int ${'a::'.repeat(300_000)}x;`], ['c', `int ${'*'.repeat(900_000)}p;`],
  ] as const)('%s: ends over long chains', async (language, text) => {
    const outcome = await parseDefinitions(language, text).then(() => 'done', (error: { code: string }) => error.code)
    expect(['done', 'TIMEOUT', 'FILE_TOO_LARGE']).toContain(outcome)
  }, 60_000)

  it('many at once', async () => {
    const all = await Promise.all(LANGUAGE_IDS.map((language) => parseDefinitions(language, DEEP[language][0])))
    expect(all.map(({ length }) => length)).toEqual(LANGUAGE_IDS.map((language) => DEEP[language][1]))
  })

  it('never fails for any text, and every name is where it is said to be', async () => {
    const words = ['class', 'function', 'def', 'fn', 'a', 'B', '😀', '{', '}', '(', ')', '=', ':', '\n', '  ', ';', '"', '<', ',']
    const soup = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join(' '))
    await fc.assert(fc.asyncProperty(fc.constantFrom(...LANGUAGE_IDS), soup, async (language, text) => {
      const lines = text.split('\n')
      for (const { name, nameLine, nameColumn } of await parseDefinitions(language, text)) {
        expect(lines[nameLine - 1]?.slice(nameColumn - 1)).toMatch(new RegExp(`^${name.replaceAll(/\W/g, '\\$&')}`))
      }
    }), { numRuns: 300 })
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

  it('finds every definition', async () => {
    for (const [language, [text]] of Object.entries({ ...DEEP, python: [NAMED] })) {
      const [first] = await parseDefinitions(language as LanguageId, text)
      const places = await findIdentifiers(language as LanguageId, text, first?.name ?? '')
      expect(places[0]).toEqual({ line: first?.nameLine, column: first?.nameColumn })
    }
  })
})

it.each([
  ['a.ts', 'typescript'], ['a.d.mts', 'typescript'], ['a.tsx', 'tsx'], ['A.JSX', 'javascript'], ['a.cjs', 'javascript'],
  ['a.pyi', 'python'], ['a.go', 'go'], ['a.rs', 'rust'], ['A.java', 'java'], ['a.c', 'c'], ['a.h', 'cpp'], ['a.cc', 'cpp'],
  ['a.cs', 'csharp'], ['a.rb', 'ruby'], ['a.php', 'php'], ['a.txt', undefined], ['ts', undefined], ['.ts', undefined],
  ['dir.ts/readme', undefined], ['C:\\x\\a.py', 'python'],
])('languageOf(%s) is %s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})
