import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { HermesError } from '../../../0-contracts/src/index.js'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { semanticSearch } from '../../src/semantic/semantic-search.js'
import { pathsFor, plantOld, search } from './run-search.js'

const TREE = {
  'src/config.ts': '/** Reads the settings of the user. */\n'
    + 'export function parseConfigFile(text: string) {\n  return text\n}\n',
  'src/http.ts': 'export class HttpClient {\n  retryWithBackoff() {\n    return 1\n  }\n}\n',
  'lib/tree.py': 'def walk_tree(node):\n    """Visits every node."""\n    return node\n',
  'README.md': '# Project\n\nAbout it.\n\n# Deployment\n\nPush the container image.\n',
}

function context(tree: Record<string, string> = TREE, kind: 'disk' | 'overlay' = 'disk') {
  const root = tempDir()
  plantOld(root, tree)
  return contextFor(root, kind)
}

describe('finds', () => {
  it('what a question is about, with its place, symbol and text', async () => {
    const found = await search(context(), { query: 'where is the config file parsed?' })
    expect(found.indexed_files).toBe(4)
    expect(found.results[0]).toEqual({
      path: 'src/config.ts', start_line: 1, end_line: 4, symbol: 'parseConfigFile', kind: 'function',
      score: expect.any(Number) as number, text: TREE['src/config.ts'].trimEnd(),
    })
  })

  it.each([
    ['retry_with_backoff', 'src/http.ts'], ['HttpClient', 'src/http.ts'], ['walkTree', 'lib/tree.py'],
    ['walking trees', 'lib/tree.py'], ['deploying containers', 'README.md'],
  ])('%s', async (query, path) => {
    expect((await pathsFor(context(), query))[0]).toBe(path)
  })

  it('in any script, whatever the line endings and a byte order mark', async () => {
    const here = context({
      'größe.md': '\ufeff# Größe\r\n\r\nDie Größe ändern.\r\n',
      'ja.txt': '設定ファイルを読む\n', 'crlf.js': 'function crlfCase() {\r\n}\r\n',
    })
    expect(await pathsFor(here, 'Größe')).toEqual(['größe.md'])
    expect(await pathsFor(here, '設定を読む')).toEqual(['ja.txt'])
    expect((await search(here, { query: 'crlf case' })).results[0])
      .toMatchObject({ symbol: 'crlfCase', text: 'function crlfCase() {\n}', end_line: 2 })
    expect((await search(here, { query: 'Größe ändern' })).results[0]?.text).toBe('# Größe\n\nDie Größe ändern.')
  })

  it('what is asked in another script or language, and says which words are nowhere', async () => {
    const here = context({
      ...TREE,
      'ru.ts': '// Читает настройки пользователя\nexport function readSettings() {}\n',
      'ar.py': 'def read_settings():\n    """يقرأ إعدادات المستخدم"""\n',
      'ko.ts': '// 설정을 읽는다\nexport function readKorean() {}\n',
      'zh.go': '// 读取配置文件\nfunc readChinese() {}\n',
    })
    expect((await pathsFor(here, 'где читаются настройки'))[0]).toBe('ru.ts')
    expect((await pathsFor(here, 'قراءة الإعدادات'))[0]).toBe('ar.py')
    expect((await pathsFor(here, '설정 파일'))[0]).toBe('ko.ts')
    expect((await pathsFor(here, '配置文件在哪里读取'))[0]).toBe('zh.go')
    // A name is found in a query of any language.
    expect((await pathsFor(here, 'где определена HttpClient'))[0]).toBe('src/http.ts')
    const german = await search(here, { query: 'wo wird die Zeitüberschreitung behandelt' })
    expect(german.unknown_words).toContain('Zeitüberschreitung')
    const some = await search(here, { query: 'config xylophone' })
    expect(some).toMatchObject({ unknown_words: ['xylophone'] })
    expect(some.hint).toBeUndefined()
  })

  it('by comments and docstrings, and by beginnings of words', async () => {
    const here = context({
      'mask.py': 'def mask_secret(value):\n    """Redact a token before it is shown."""\n    return value[:2]\n',
      'other.py': 'def show(value):\n    return value\n', 'a.ts': 'export function readCfg(args) {}\n',
    })
    expect((await pathsFor(here, 'redact token'))[0]).toBe('mask.py')
    expect((await pathsFor(here, 'arguments'))[0]).toBe('a.ts')
    expect((await pathsFor(here, 'configuration'))[0]).toBe('a.ts')
  })

  it('the same in the same order each time, and no more than asked for', async () => {
    const same = Object.fromEntries(['b', 'a', 'c'].map((name) => [`${name}.txt`, 'equal words\n']))
    const here = context(same)
    expect(await pathsFor(here, 'equal words')).toEqual(['a.txt', 'b.txt', 'c.txt'])
    expect(await search(here, { query: 'equal words' })).toEqual(await search(here, { query: 'equal words' }))
    expect((await search(here, { query: 'equal words', max_results: 2 })).results).toHaveLength(2)
  })

  it('nothing where there is nothing', async () => {
    expect(await search(context({}), { query: 'anything' })).toEqual({ results: [], indexed_files: 0 })
    expect(await search(context(), { query: 'xylophone' })).toEqual({
      results: [], indexed_files: 4, unknown_words: ['xylophone'], hint: expect.stringContaining('not translated') as string,
    })
  })

  it('what lies beside broken code and code that is nested deeply, and is cancelled', async () => {
    const here = context({
      ...TREE, 'a.py': `needle ${'['.repeat(5_000)}`, 'a.rb': `needle ${'['.repeat(5_000)}`,
      'deep.java': `${'class A {\n'.repeat(2_000)}${'}\n'.repeat(2_000)}`,
    })
    const large = { ...here, limits: { ...here.limits, maxFileBytes: 1_000_000 } }
    const controller = new AbortController()
    setImmediate(() => setTimeout(() => controller.abort(), 1))
    await expect(search({ ...large, signal: controller.signal }, { query: 'config file' }))
      .rejects.toMatchObject({ code: 'CANCELLED' })
    expect((await pathsFor(large, 'where is the config file parsed?'))[0]).toBe('src/config.ts')
    expect(await pathsFor(large, 'needle')).toEqual(['a.py', 'a.rb'])
  }, 12_000)

  it('shows at most 20 lines, long ones cut', async () => {
    const here = context({ 'long.txt': `needle ${'x '.repeat(400)}\n${'line\n'.repeat(40)}` })
    const [first] = (await search(here, { query: 'needle' })).results
    expect(first!.text.split('\n')).toHaveLength(20)
    expect(first!.text.split('\n')[0]).toHaveLength(301)
  })
})

describe('scope', () => {
  const tree = { 'a/one.txt': 'needle\n', 'b/two.txt': 'needle\n' }

  it('narrows the search; paths come as they were written', async () => {
    const here = context(tree)
    expect(await pathsFor(here, 'needle')).toEqual(['a/one.txt', 'b/two.txt'])
    expect(await pathsFor(here, 'needle', { scope: 'directory', path: './a' })).toEqual(['a/one.txt'])
    expect(await pathsFor(here, 'needle', { scope: 'directory', path: '/workspace/b' }))
      .toEqual(['/workspace/b/two.txt'])
    expect(await pathsFor(here, 'needle', { scope: 'file', path: 'b/two.txt' })).toEqual(['b/two.txt'])
    expect(await pathsFor(here, 'needle', { path: 'b' })).toEqual(['b/two.txt'])
  })

  it('does not lose what was indexed outside of it', async () => {
    const here = context(tree)
    await search(here, { query: 'needle', scope: 'directory', path: 'a' })
    await search(here, { query: 'needle', scope: 'file', path: 'b/two.txt' })
    expect(await pathsFor(here, 'needle')).toEqual(['a/one.txt', 'b/two.txt'])
  })

  it('a file that is asked for is searched though hidden or ignored', async () => {
    const here = context({ '.gitignore': 'out.txt\n', 'out.txt': 'needle\n', '.env.sample': 'needle\n' })
    expect(await pathsFor(here, 'needle')).toEqual([])
    expect(await pathsFor(here, 'needle', { scope: 'file', path: 'out.txt' })).toEqual(['out.txt'])
    expect(await pathsFor(here, 'needle', { scope: 'file', path: '.env.sample' })).toEqual(['.env.sample'])
  })
})

describe('passes over', () => {
  it('ignored, hidden, generated, binary and very large files', async () => {
    const here = context({
      '.gitignore': 'build/\n', 'build/out.js': 'needle\n', '.hidden/x.txt': 'needle\n',
      'package-lock.json': '"needle"\n',
      'app.min.js': 'needle\n', 'nul.txt': 'needle\0\n', 'large.txt': 'needle\n'.repeat(20_000),
      'src/ok.ts': 'needle()\n',
      'latin1.txt': '',
    })
    writeFileSync(join(here.session.root, 'latin1.txt'), Buffer.from('needle \xe9\n', 'latin1'))
    expect(await pathsFor(here, 'needle')).toEqual(['src/ok.ts'])
  })

  it('dependencies, with a .gitignore and without', async () => {
    const here = context({
      'node_modules/needle/needle.js': 'function needle() {}\n', 'packages/a/node_modules/b/needle.js': 'needle()\n',
      '.venv/lib/needle.py': 'def needle():\n    pass\n', 'src/own.js': 'needle()\n',
    })
    expect(await pathsFor(here, 'needle')).toEqual(['src/own.js'])
  })

  it('what the gate denies, also where the index has it from before', async () => {
    const here = context({ 'open.txt': 'needle\n', 'secret.txt': 'needle\n' })
    expect(await pathsFor(here, 'needle')).toEqual(['open.txt', 'secret.txt'])
    const gate: typeof here.gate = {
      approve(path, access) {
        if (path.endsWith('secret.txt')) throw new HermesError('POLICY_DENIED', 'denied')
        return here.gate.approve(path, access)
      },
    }
    expect(await pathsFor({ ...here, gate }, 'needle')).toEqual(['open.txt'])
  })

  it('what lies behind links that lead outside', async () => {
    const outside = tempDir()
    writeFileSync(join(outside, 'x.txt'), 'needle\n')
    const here = context({ 'in.txt': 'needle\n' })
    symlinkSync(outside, join(here.session.root, 'link'))
    symlinkSync(join(outside, 'x.txt'), join(here.session.root, 'link.txt'))
    expect(await pathsFor(here, 'needle')).toEqual(['in.txt'])
  })
})

describe('refuses', () => {
  const tree = { 'a.txt': 'text\n', 'dir/b.txt': 'text\n', 'nul.bin': 'a\0b', 'huge.txt': 'x'.repeat(100_001) }

  it.each([
    [{ query: '???' }, { code: 'INVALID_PARAMETER', message: 'semantic_search: query must hold a word' }],
    [{ query: 'text', scope: 'file' }, { code: 'MISSING_PARAMETER', message: 'Missing required parameter: path' }],
    [{ query: 'text', scope: 'directory' }, { code: 'MISSING_PARAMETER' }],
    [{ query: 'text', scope: 'file', path: 'a.tx' },
      {
        code: 'ENOENT', message: "ENOENT: no such file or directory, semantic_search 'a.tx'",
        hint: "Did you mean 'a.txt'?",
      }],
    [{ query: 'text', scope: 'file', path: 'dir' }, { code: 'EISDIR' }],
    [{ query: 'text', scope: 'directory', path: 'a.txt' }, { code: 'ENOTDIR' }],
    [{ query: 'text', scope: 'file', path: 'nul.bin' }, { code: 'NOT_TEXT' }],
    [{ query: 'text', scope: 'file', path: 'huge.txt' }, { code: 'FILE_TOO_LARGE' }],
    [{ query: 'text', scope: 'file', path: '/etc/hosts' }, { code: 'POLICY_DENIED' }],
    [{ query: 'text', scope: 'directory', path: '.hermes' }, { code: 'POLICY_DENIED' }],
  ] as const)('%j', async (args, error) => {
    await expect(search(context(tree), args)).rejects.toMatchObject(error)
  })

  it.each([
    { query: 'ab' }, { query: 1 }, {}, { query: 'text', scope: 'project' }, { query: 'text', max_results: 0 },
    { query: 'text', max_results: 101 }, { query: 'text', path: '../x' }, { query: 'text', limit: 1 },
    { query: 'x'.repeat(1001) },
  ])('%j by its schema', (args) => {
    expect(v.safeParse(semanticSearch.args, args).success).toBe(false)
  })

  it('to go on once the run is cancelled', async () => {
    const aborted = { ...context(), signal: AbortSignal.abort() }
    await expect(search(aborted, { query: 'config' })).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

it.each(semanticSearch.examples)('the example %j runs', async (example) => {
  expect((await search(context(), example)).results).toBeInstanceOf(Array)
})

it('a dry run finds what it would find, its own changes included, and writes nothing', async () => {
  const here = context(TREE, 'overlay')
  expect((await pathsFor(here, 'parse config file'))[0]).toBe('src/config.ts')
  here.files.write(here.gate.approve('new.txt', 'write'), 'xylophone\n')
  expect(await pathsFor(here, 'xylophone')).toEqual(['new.txt'])
  expect(existsSync(join(here.session.root, '.hermes'))).toBe(false)
})

describe('a changed tree', () => {
  const needle = { 'a.txt': 'needle one\n', 'b.txt': 'other words\n' }

  it('is seen: edited, new, renamed and deleted files', async () => {
    const here = context(needle)
    const at = (name: string) => join(here.session.root, name)
    expect(await pathsFor(here, 'needle')).toEqual(['a.txt'])
    plantOld(here.session.root, { 'b.txt': 'needle too\n' })
    expect(await pathsFor(here, 'needle')).toEqual(['a.txt', 'b.txt'])
    plantOld(here.session.root, { 'c/d.txt': 'needle\n' })
    expect((await pathsFor(here, 'needle')).toSorted()).toEqual(['a.txt', 'b.txt', 'c/d.txt'])
    renameSync(at('a.txt'), at('z.txt'))
    mkdirSync(at('e'))
    renameSync(at('c/d.txt'), at('e/d.txt'))
    expect((await pathsFor(here, 'needle')).toSorted()).toEqual(['b.txt', 'e/d.txt', 'z.txt'])
    rmSync(at('b.txt'))
    expect((await pathsFor(here, 'needle')).toSorted()).toEqual(['e/d.txt', 'z.txt'])
  })

  it('is seen where size or time differ alone, and where a file is younger than the clock is exact', async () => {
    const here = context(needle)
    await search(here, { query: 'needle' })
    const b = join(here.session.root, 'b.txt')
    plantOld(here.session.root, { 'b.txt': 'needl words\n' }, new Date('2020-01-02'))
    expect(await pathsFor(here, 'needl')).toContain('b.txt')
    const now = new Date()
    for (const text of ['first words\n', 'later words\n']) {
      writeFileSync(b, text)
      utimesSync(b, now, now)
      expect(await pathsFor(here, text)).toEqual(['b.txt'])
    }
  })

  it('never gives a text that is not there: where a file changed behind its times it searches anew', async () => {
    const here = context({ 'a.txt': 'needle in it\n', 'b.txt': 'needle\n' })
    await search(here, { query: 'needle' })
    plantOld(here.session.root, { 'a.txt': 'nothing here\n' })
    expect(await pathsFor(here, 'needle')).toEqual(['b.txt'])
  })
})
