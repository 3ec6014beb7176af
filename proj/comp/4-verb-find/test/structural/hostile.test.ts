import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { type ApprovedPath, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { StructuralMatcher } from '../../../2-syntax/src/index.js'
import { readQuery } from '../../src/structural/structural-query.js'

const REPLACE = { pattern: 'old($A)', rewrite: 'fresh($A)' }

function rootWith(files: Record<string, string>): string {
  const root = tempDir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

it('a file that is closed to writes costs all of them', async () => {
  const root = rootWith({ 'a.ts': 'old(1)\n', 'b.ts': 'old(2)\n' })
  const context = contextFor(root, 'disk')
  const { gate } = context
  const approve: typeof gate.approve = (path, access) => {
    if (access === 'write' && path.endsWith('b.ts')) throw new HermesError('POLICY_DENIED', 'Closed: b.ts')
    return gate.approve(path, access)
  }
  expect(await runVerb('structural_replace', REPLACE, { ...context, gate: { ...gate, approve } }))
    .toMatchObject({ code: 'POLICY_DENIED' })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('old(1)\n')
})

/** As the journal does: what somebody else has changed since it was read is not written over. */
function refusing(context: VerbContext, name: string): VerbContext {
  const { files } = context
  const write: typeof files.write = (path: ApprovedPath, content, check) => {
    if (path.endsWith(name)) throw new HermesError('CHANGED_ON_DISK', `Changed: ${name}`)
    return files.write(path, content, check)
  }
  const store = new Proxy(files, {
    get(target, key) {
      const value: unknown = key === 'write' ? write : Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) as unknown : value
    },
  })
  return { ...context, files: store }
}

it('where one cannot be written the others get back what they had', async () => {
  const root = rootWith({ 'a.ts': 'old(1)\r\n', 'b.ts': '\ufeffold(2)\n', 'c.ts': 'old(3)\n' })
  const context = refusing(contextFor(root, 'disk'), 'c.ts')
  expect(await runVerb('structural_replace', REPLACE, context)).toMatchObject({ code: 'CHANGED_ON_DISK' })
  expect(['a.ts', 'b.ts', 'c.ts'].map((name) => readFileSync(join(root, name), 'utf8')))
    .toEqual(['old(1)\r\n', '\ufeffold(2)\n', 'old(3)\n'])
})

it('a file in another encoding is named, and costs no other', async () => {
  const root = rootWith({ 'b.ts': 'old(2)\n' })
  writeFileSync(join(root, 'a.ts'), Buffer.from('// caf\xe9\nold(1)\n', 'latin1'))
  const skipped = [{ path: 'a.ts', reason: 'File is not UTF-8 text: a.ts' }]
  const context = contextFor(root, 'disk')
  expect(await runVerb('structural_search', { pattern: 'old($A)' }, context)).toMatchObject({ data: { skipped } })
  expect(await runVerb('structural_replace', REPLACE, context)).toMatchObject({
    data: { files: [{ path: 'b.ts' }], skipped },
  })
})

it('a rewrite that makes a file of gigabytes is refused before that is made', async () => {
  const content = `old("${'y'.repeat(100_000)}")\n`
  const root = rootWith({ 'a.ts': content })
  const context = contextFor(root, 'disk', { maxFileBytes: 1_000_000 })
  expect(await runVerb('structural_replace', { pattern: 'old($A)', rewrite: `[${'$A,'.repeat(30_000)}]` }, context))
    .toMatchObject({ code: 'OUTPUT_LIMIT' })
  expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(content)
})

it('code that is too long or too deep is named, and the rest is searched', async () => {
  const root = rootWith({
    'a.js': 'f(1)\n', 'deep.js': `${'f('.repeat(2000)}1${')'.repeat(2000)}\n`, 'long.js': `f(1)\n// ${'x'.repeat(1 << 20)}\n`,
  })
  const context = contextFor(root, 'disk', { maxFileBytes: 10_000_000 })
  expect(await runVerb('structural_search', { pattern: 'f($A)' }, context)).toMatchObject({ data: {
    matches: [{ path: 'a.js', text: 'f(1)' }],
    skipped: [
      { path: 'deep.js', reason: 'Source is nested too deeply to parse' },
      { path: 'long.js', reason: 'Source is too large to parse: over 1,048,576 characters' },
    ],
  } })
  expect(await runVerb('structural_search', { pattern: 'f($A)', path: 'deep.js' }, context))
    .toMatchObject({ code: 'FILE_TOO_LARGE', message: 'structural_search: Source is nested too deeply to parse' })
})

it('ten thousand matches are rewritten, one more is refused', async () => {
  const root = rootWith({ 'a.js': 'old(1)\n'.repeat(10_000) })
  const context = contextFor(root, 'disk', { maxMatches: 10_000, maxFileBytes: 1_000_000 })
  expect(await runVerb('structural_replace', REPLACE, context)).toMatchObject({ data: { replacements_made: 10_000 } })
  expect(readFileSync(join(root, 'a.js'), 'utf8')).toBe('fresh(1)\n'.repeat(10_000))
  writeFileSync(join(root, 'a.js'), 'old(1)\n'.repeat(10_001))
  expect(await runVerb('structural_replace', REPLACE, context)).toMatchObject({ code: 'OUTPUT_LIMIT' })
  expect(readFileSync(join(root, 'a.js'), 'utf8')).toBe('old(1)\n'.repeat(10_001))
})

it('a cancelled run ends the thread in the middle of a text', async () => {
  const end = new AbortController()
  const matcher = new StructuralMatcher(readQuery('test', { pattern: '$A' }), end.signal)
  await matcher.matches('javascript', 'f(1)\n', 1)
  const found = matcher.matches('javascript', 'f(g(1), [2, 3])\n'.repeat(20_000), 1)
  end.abort()
  await expect(found).rejects.toMatchObject({ code: 'CANCELLED' })
})

/** A fault of ast-grep's: where it transforms a variable behind characters of two units, its WebAssembly stops. */
it('what breaks ast-grep is told, and the next text has a new thread', async () => {
  const transform = { B: { rewrite: { source: '$A', rewriters: ['none'] } } }
  const query = { matcher: { rule: { pattern: 'f($A)' }, transform }, patterns: [], names: ['A'] }
  const matcher = new StructuralMatcher(query, new AbortController().signal)
  const fault = (): Promise<unknown> => matcher.matches('javascript', "f('😀😀😀😀😀😀')\n", 1)
  try {
    await expect(fault()).rejects.toMatchObject({ code: 'TIMEOUT', message: 'ast-grep failed on the source' })
    expect(await matcher.matches('javascript', 'f(1)\n', 1)).toMatchObject({ total: 1 })
    await expect(fault()).rejects.toMatchObject({ code: 'TIMEOUT' })
    await expect(fault()).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  } finally {
    await matcher[Symbol.asyncDispose]()
  }
})
