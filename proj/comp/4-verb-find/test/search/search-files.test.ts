import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { fileTypes } from '../../src/search/file-types.js'
import { findRipgrep } from '../../src/search/ripgrep.js'
import { searchFiles } from '../../src/search/search-files.js'
import { asNobody } from './as-nobody.js'

const cli = useCli()

/** However busy the machine is: what an engine takes for ever for ends with the test's own time. */
const PATIENT_MS = 600_000

/** The answers of both engines; a dry run searches without ripgrep. */
async function both(root: string, args: object, maxMatches = 1000): Promise<[ripgrep: unknown, plain: unknown]> {
  const run = (kind: 'disk' | 'overlay') => runVerb('search_files', args, contextFor(root, kind, { maxMatches, commandTimeoutMs: PATIENT_MS }))
  return [await run('disk'), await run('overlay')]
}

describe('search_files', () => {
  it('finds the same with ripgrep and without', async () => {
    const base = tempDir()
    const name = fc.constantFrom('a', 'b', 'a-b', 'a.txt', 'c.log', '.h', 'B', '\u00e9', '\uff5e', '\u{1f600}', 'x\ny')
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
    const letters = ['a', 'A', 'b', 'k', 's', '\u00e9', '\u03c3', '\u{10428}', '-', '.', '(']
    const others = ['\u00c9', '\u03a3', '\u03c2', '\u212a', '\u017f', '\u{1f600}', '\u{10400}', ' ', '\n', '\r\n']
    const content = fc.string({ unit: fc.constantFrom(...letters, ...others), maxLength: 40 })
    const literal = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3 })
    const atom = fc.constantFrom('a', 'b', '.', '\\.', '[a-k]', '[^a]', '\\w', '\\W', '\\s', '\\d', '[\\d\\s]', '(a|b)',
      '(?:ab|a)', '^', '$', '\u{1f600}', '\u00e9', '\\(', '[[:alpha:]]', '\\pL', 'k', 's', '\u03c3')
    const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '*?')
    const regex = fc.array(fc.tuple(atom, times), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map(([one, often]) => (/^[\^$]/.test(one) ? one : one + often)).join(''))
    const multiline = fc.boolean().map((isOn) => ({ multiline: isOn }))
    const lines = (between: string) => (parts: readonly string[]) => ({ query: parts.join(between), multiline: parts.length > 1 })
    const query = fc.oneof(
      fc.array(literal, { minLength: 1, maxLength: 2 }).map((parts) => ({ ...lines('\n')(parts), regex: false })),
      fc.array(regex, { minLength: 1, maxLength: 2 }).map((parts) => ({ ...lines(String.raw`\n`)(parts), regex: true })),
      fc.tuple(regex, multiline).map(([text, on]) => ({ query: text, regex: true, ...on })),
      fc.constantFrom('[^a]+', '[a\\n]+b', '(?s)a.*b', '\\s+', 'b\\r\\na', '^$', '(?s).').map((text) => (
        { query: text, regex: true, multiline: true }
      )),
    )
    const wanted = fc.record({
      output: fc.constantFrom('matches', 'files', 'counts'), context_before: fc.constantFrom(0, 1, 3),
      context_after: fc.constantFrom(0, 2), offset: fc.constantFrom(0, 0, 1, 3), type: fc.constantFrom('txt', 'log'),
    }, { requiredKeys: [] })
    await fc.assert(fc.asyncProperty(
      fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 8 }), query, fc.boolean(),
      fc.constantFrom(1, 2, 3, 100), fc.constantFrom(undefined, undefined, '*.txt', 'a*', '{a,b}', 'a/**'), wanted,
      async (files, asked, caseSensitive, most, pattern, more) => {
        const root = mkdtempSync(join(base, 'tree-'))
        const paths = files.map(([file]) => file)
        plant(root, Object.fromEntries(files.filter(([file]) => !paths.some((other) => other.startsWith(`${file}/`)))))
        const [ripgrep, plain] = await both(root, {
          ...asked, ...more, case_sensitive: caseSensitive, max_results: most, ...(pattern && { pattern }),
        })
        expect(plain).toEqual(ripgrep)
        rmSync(root, { recursive: true })
      },
    ), { numRuns: 150 })
  })

  it.skipIf(findRipgrep() === undefined)('counts what it shows, in expressions that RE2 reads otherwise', async () => {
    const root = tempDir()
    plant(root, { 'a.py': 'имя = 1\nfoo имя\nначимя\n', 'b.py': 'fooимя\n', 'c.py': 'имя\n' })
    for (const query of [String.raw`\bимя\b`, String.raw`\u0438мя$`, String.raw`(?-u)foo`, '[a-z&&[^b]]oo']) {
      const run = (more: object) => runVerb('search_files', { query, regex: true, ...more }, contextFor(root, 'disk'))
      const { data: shown } = await run({}) as { data: { matches: { path: string }[] } }
      const files = [...new Set(shown.matches.map(({ path }) => path))]
      expect(files).not.toEqual([])
      const counted = files.map((path) => ({ path, count: shown.matches.filter((match) => match.path === path).length }))
      expect(await run({ output: 'counts' })).toMatchObject({
        data: { files: counted, total_files: files.length, total_matches: shown.matches.length },
      })
      expect(await run({ output: 'files', offset: 1 })).toMatchObject({
        data: { files: files.slice(1).map((path) => ({ path })), total_files: files.length },
      })
    }
  })

  it('says how to narrow a search whose next page cannot be asked for', async () => {
    const root = tempDir()
    plant(root, { 'a.txt': 'x\n'.repeat(20_101) })
    const hints: string[] = []
    const context = { ...contextFor(root, 'disk', { maxMatches: 10_000 }), advise: (text: string) => hints.push(text) }
    const found = await runVerb('search_files', { query: 'x', offset: 20_000 }, context)
    expect(found).toMatchObject({ data: { truncated: true } })
    expect(found).not.toHaveProperty('data.next_offset')
    expect(hints).toEqual(['There are more results; write a narrower path, pattern or query for them.'])
  })

  it('chooses the first of very many matches by path, whichever comes first', async () => {
    const root = tempDir()
    const numbers = Array.from({ length: 300 }, (_, index) => index)
    plant(root, Object.fromEntries(numbers.map((number) => [`${number % 7}/${number}`, 'x\n'.repeat(12)])))
    const [ripgrep, plain] = await both(root, { query: 'x', max_results: 11 })
    const matches = Array.from({ length: 11 }, (_, index) => ({ path: '0/0', line: index + 1, column: 1, text: 'x' }))
    expect(ripgrep).toEqual({ data: { matches, truncated: true, next_offset: 11 } })
    expect(plain).toEqual(ripgrep)
    const [more, morePlain] = await both(root, { query: 'x', max_results: 100 })
    expect(morePlain).toEqual(more)
  })

  it.each(['(a+)+$', '(a|a)*b', '(.*a){25}', '(a?){25}a{25}', '(a+)+!$', '(?i)(A|aa)+b?$'])(
    'ends on long lines: %s', async (query) => {
      const root = tempDir()
      plant(root, { 'a.txt': { repeat: ['a', 1_000_000] }, 'b.txt': `${'a'.repeat(1_000_000)}!` })
      const [ripgrep, plain] = await both(root, { query, regex: true })
      expect(plain).toEqual(ripgrep)
    },
  )

  it('reads files beyond the size limit of other verbs, piece by piece', async () => {
    const root = tempDir()
    const line = `${'\u{1f44b}'.repeat(30)}\n`
    writeFileSync(join(root, 'big.log'), `${line.repeat(20_000)}the needle \u00e9\r\nx`)
    const match = { path: 'big.log', line: 20_001, column: 5, text: 'the needle \u00e9' }
    const expected = { matches: [match], truncated: false }
    expect(await both(root, { query: 'NEEDLE \u00c9' })).toEqual([{ data: expected }, { data: expected }])
    const last = { data: { matches: [{ line: 20_002 }] } }
    expect(await both(root, { query: '^x$', regex: true })).toMatchObject([last, last])
  })

  it('knows the types of files that ripgrep knows', () => {
    const program = findRipgrep()
    if (program === undefined) throw new Error('no ripgrep')
    const listed = execFileSync(program, ['--no-config', '--type-list'], { encoding: 'utf8' }).trim().split('\n')
    expect([...fileTypes()].map(([name, patterns]) => `${name}: ${patterns.join(', ')}`)).toEqual(listed)
  })

  it('takes names for those of a type as ripgrep does', async () => {
    const root = tempDir()
    const names = ['a.c', 'a.H', 'a.h.in', 'MAKEFILE', 'GNUmakefile', 'x.mak', 'a.1', 'a.1c', 'LICENSE-2.0', 'unlicence', '.zshrc', 'a.cpp', 'a.PY']
    plant(root, Object.fromEntries(names.map((name) => [`d/${name}`, 'x'])))
    for (const type of fileTypes().keys()) {
      const [ripgrep, plain] = await both(root, { query: 'x', type, output: 'files' })
      expect(plain, type).toEqual(ripgrep)
    }
  })

  it('says what is wrong with a regular expression', async () => {
    const root = tempDir()
    plant(root, { a: 'x' })
    const problem = (detail: string) => ({
      code: 'INVALID_PARAMETER',
      message: `search_files: query is not a valid regular expression: ${detail}`,
      hint: 'Set regex to false to find the text as it is, or put \\ before characters that are meant themselves. '
        + 'Look-around and backreferences are not supported, nor more than 1000 repeats, also of repeats.',
    })
    expect(await both(root, { query: '(a', regex: true })).toEqual([
      problem('unclosed group'), problem('missing closing ): `(a`'),
    ])
    expect(await both(root, { query: '(?=a)', regex: true })).toEqual([
      problem('look-around, including look-ahead and look-behind, is not supported'),
      problem('invalid or unsupported Perl syntax: `(?=`'),
    ])
    for (const query of ['(?<=a)b', '(a)\\1', '[z-a]', '*', 'a{2,1}', '\\', '\\p{Nope}', '(?<n']) {
      const invalid = { code: 'INVALID_PARAMETER', message: expect.stringMatching(/^search_files: [^\n]+$/) as string }
      expect(await both(root, { query, regex: true }), query).toMatchObject([invalid, invalid])
    }
  })

  it('says what could not be read, and finds the rest', async () => {
    const root = tempDir()
    plant(root, { 'a.txt': 'x', 'closed/b.txt': 'x', 'c.txt': 'x', 'd: e.txt': 'x' })
    chmodSync(join(root, 'closed'), 0)
    chmodSync(join(root, 'd: e.txt'), 0)
    asNobody(root)
    const matches = ['a.txt', 'c.txt'].map((path) => ({ path, line: 1, column: 1, text: 'x' }))
    const expected = { data: { matches, truncated: false, unreadable: ['closed', 'd: e.txt'] } }
    expect(await both(root, { query: 'x' })).toEqual([expected, expected])
  })

  it('stops when the run is cancelled', async () => {
    const root = tempDir()
    plant(root, { 'a/b/c.txt': 'x' })
    for (const kind of ['disk', 'overlay'] as const) {
      const abort = new AbortController()
      setImmediate(() => abort.abort())
      const context = { ...contextFor(root, kind), signal: abort.signal }
      expect(await runVerb('search_files', { query: 'x' }, context)).toEqual({
        code: 'CANCELLED', message: 'The run was cancelled',
      })
    }
  })

  it('finds in a dry run what was written in it', async () => {
    const root = tempDir()
    plant(root, { a: 'x' })
    const context = contextFor(root, 'overlay')
    await runVerb('file_write', { path: '/workspace/b', content: 'y' }, context)
    await runVerb('file_write', { path: '/workspace/.gitignore', content: 'a' }, context)
    expect(await runVerb('search_files', { query: '[xy]', regex: true }, context)).toEqual({
      data: { matches: [{ path: 'b', line: 1, column: 1, text: 'y' }], truncated: false },
    })
  })

  it.each(searchFiles.examples)('runs the example %j', async (example) => {
    const root = tempDir()
    plant(root, { 'src/a.ts': '// TODO\nfunction  run(x) {}\n' })
    const args = v.parse(searchFiles.args, example)
    const { matches, files = matches } = await searchFiles.handler(args, contextFor(root, 'disk'))
    expect(files).toMatchObject([{ path: 'src/a.ts' }])
  })

  it.each([
    { query: '' }, { query: 'x'.repeat(1001) }, {}, { query: 1 }, { query: 'x', max_results: 0 },
    { query: 'x', max_results: 10_001 }, { query: 'x', max_results: 1.5 }, { query: 'x', path: 'a/../b' },
    { query: 'x', include: '*' }, { query: 'x', regex: 'true' },
  ])('refuses the arguments %j', (args) => {
    expect(v.safeParse(searchFiles.args, args).success).toBe(false)
  })
})

describe('search_files in long lines', () => {
  const UNIT = 'abcdefg\u00e9 '
  /** A line of so many units, with a word at some places, in units. */
  const long = (units: number, ...places: number[]): string => {
    const at = new Set(places)
    return Array.from({ length: units }, (_, unit) => (at.has(unit) ? 'needle! \u{1f600}' : UNIT)).join('')
  }

  it.each([
    { name: 'near its beginning', places: [3] },
    { name: 'across the parts it is read in', places: [116_500] },
    { name: 'near the end', places: [399_999] },
  ])('tells where a match is, $name', async ({ places: [place = 0] }) => {
    const root = tempDir()
    const line = long(400_000, place)
    plant(root, { 'a.txt': `needle\n${line}\n\nlast needle`, 'b.txt': line })
    for (const query of [{ query: 'needle' }, { query: 'NEEDLE' }, { query: 'ne+dle!', regex: true }]) {
      const [ripgrep, plain] = await both(root, query)
      expect(plain).toEqual(ripgrep)
      const { data: { matches } } = ripgrep as { data: { matches: { path: string; line: number; column: number; text: string }[] } }
      const column = place * UNIT.length + 1
      expect(matches.map((match) => [match.path, match.line, match.column])).toEqual([
        ...('regex' in query ? [] : [['a.txt', 1, 1]]), ['a.txt', 2, column],
        ...('regex' in query ? [] : [['a.txt', 4, 6]]), ['b.txt', 1, column],
      ])
      for (const { text } of matches.filter((match) => match.column === column)) expect(text).toContain('needle! \u{1f600}')
    }
  })

  it.skipIf(process.platform !== 'linux')('takes no more memory than a bound for a line that is larger', async () => {
    const root = tempDir()
    const file = openSync(join(root, 'one.txt'), 'w')
    const piece = 'abcdefgh '.repeat(1 << 20)
    for (let count = 0; count < 17; count++) writeSync(file, piece)
    writeSync(file, 'needle')
    closeSync(file)
    plant(root, { 'small.txt': 'a needle' })
    const [ripgrep] = await both(root, { query: 'needle', case_sensitive: true })
    expect(ripgrep).toMatchObject({ data: { truncated: false, matches: [
      { path: 'one.txt', line: 1, column: 17 * piece.length + 1 }, { path: 'small.txt', line: 1, column: 3 },
    ] } })
    const answer = '<tool_call>{"name": "search_files", "arguments": {"query": "needle", "case_sensitive": true}}</tool_call>\n'
    // Of the largest of its processes, in KiB.
    const measured = 'import resource,subprocess,sys; subprocess.run(sys.argv[1:], input=sys.stdin.buffer.read(), check=True, stdout=2); '
      + 'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
    const peak = execFileSync('python3', ['-c', measured, process.execPath, cli.path, 'apply', '--no-git', '--root', root], {
      input: answer, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'],
    })
    expect(Number(peak)).toBeLessThan(300 * 1024)
  })

  it.each(['(a{1000}){1000}', '(a{100}){100}', String.raw`(\w{100}){100}`])('refuses %s, which would be compiled to too much', async (query) => {
    const root = tempDir()
    plant(root, { a: 'x' })
    for (const outcome of await both(root, { query, regex: true })) {
      expect(outcome).toMatchObject({ code: 'INVALID_PARAMETER', hint: expect.stringContaining('1000 repeats') })
    }
  })
})
