import { closeSync, cpSync, openSync, readdirSync, readFileSync, rmSync, utimesSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { VerbContext, WorkProgress } from '../../0-contracts/src/index.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { CodeIndex, type IndexView, type PassageView } from '../src/index.js'
import { loadPassages, loadSegment } from '../src/index-store.js'
import { contextFor } from '../../5-executor/test/verbs/golden-harness.js'

function plant(root: string, tree: Record<string, string>): void {
  for (const [path, text] of Object.entries(tree)) {
    outputFileSync(join(root, path), text)
    // Long ago: its time proves that it is unchanged.
    utimesSync(join(root, path), 1_000_000, 1_000_000 + text.length)
  }
}

async function look(root: string, options: { index?: CodeIndex; start?: string; dryRun?: boolean } = {}) {
  const context = contextFor(root, options.dryRun ? 'overlay' : 'disk')
  const start = context.gate.approve(options.start ?? '.', 'read')
  const index = options.index ?? new CodeIndex(context.session.root)
  return index.refresh({ start, kind: 'directory', shown: options.start ?? '', verb: 'find_symbol' }, context)
}

async function searchText(root: string): Promise<PassageView> {
  const context = contextFor(root, 'disk')
  const start = context.gate.approve('.', 'read')
  return new CodeIndex(context.session.root).refreshPassages({ start, kind: 'directory', shown: '', verb: 'test' }, context)
}

function definitions(view: IndexView, name: string): string[] {
  return view.definitionsNamed(name).map(({ file, definition }) => (
    `${file.shown}:${definition.nameLine} ${definition.container ?? ''}`
  ))
}

function uses(view: IndexView, name: string): string[] {
  return view.occurrencesOf(name).map(({ file, occurrence: { line, column, kind } }) => (
    `${file.shown}:${line}:${column} ${kind}`
  ))
}

/** So many files that they are kept on disk. */
const MANY = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`many/m${index}.py`, `def m${index}(): pass\n`]))

const TREE = {
  'a.py': 'class A:\n  def run(self): pass\n',
  'lib/b.py': 'from a import A\nA().run()\n',
  'lib/c.ts': 'export function run(): void {}\n',
}

describe('CodeIndex', () => {
  it('tells how far it is once the work has taken a second, and then four times a second', async () => {
    const root = tempDir()
    plant(root, MANY)
    const told: WorkProgress[] = []
    const context: VerbContext = { ...contextFor(root, 'disk'), progress: (work) => told.push(work) }
    let now = 0
    // Parsing a file looks at the clock a few times.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now += 20)
    onTestFinished(() => { clock.mockRestore() })
    const scope = { start: context.gate.approve('.', 'read'), kind: 'directory', shown: '', verb: 'find_symbol' } as const
    const index = new CodeIndex(context.session.root)
    await index.refresh(scope, context)
    const done = told.map((one) => one.done)
    expect(done[0]).toBeGreaterThan(2)
    expect(done.slice(1).every((one, at) => one > done[at]!)).toBe(true)
    expect([done.length > 1, done.length < 15]).toEqual([true, true])
    expect(told.every(({ what, total }) => what === 'indexing files' && total === 20)).toBe(true)
    told.length = 0
    await index.refresh(scope, context)
    expect(told).toEqual([])
  })

  it('has definitions and occurrences by name', async () => {
    const root = tempDir()
    plant(root, TREE)
    const view = await look(root)
    expect(definitions(view, 'run')).toEqual(['a.py:2 A', 'lib/c.ts:1 '])
    expect(uses(view, 'run')).toEqual(['a.py:2:7 definition', 'lib/b.py:2:5 call', 'lib/c.ts:1:17 definition'])
    expect(view.countsOf('A')).toEqual({ definitions: 1, occurrences: 3, files: 2 })
    expect([...view.definedNames()].sort()).toEqual(['A', 'run', 'self'])
    expect(view.importsIn(view.files[1]!)).toEqual([{ module: 'a', name: 'A', line: 1 }])
  })

  it('says the same from disk, and of a part', async () => {
    const root = tempDir()
    plant(root, { ...TREE, ...MANY })
    await look(root)
    expect(readdirSync(join(root, '.hermes/index')).sort()).toEqual(['code.delta', 'code.seal'])
    expect(definitions(await look(root), 'run')).toEqual(['a.py:2 A', 'lib/c.ts:1 '])
    expect(definitions(await look(root, { start: 'lib' }), 'run')).toEqual(['lib/c.ts:1 '])
  })

  it('sees what was changed, added and removed', async () => {
    const root = tempDir()
    plant(root, TREE)
    const index = new CodeIndex(contextFor(root, 'disk').session.root)
    await look(root, { index })
    plant(root, { 'a.py': 'class A:\n  x = 1\n  def run(self): pass\n', 'd.go': 'package d\nfunc run() {}\n' })
    rmSync(join(root, 'lib/c.ts'))
    expect(definitions(await look(root, { index }), 'run')).toEqual(['a.py:3 A', 'd.go:2 '])
    expect(definitions(await look(root), 'run')).toEqual(['a.py:3 A', 'd.go:2 '])
  })

  it('sees an edit of the same size whose time was put back, in a session and in a new process', async () => {
    const root = tempDir()
    plant(root, { ...TREE, ...MANY })
    const index = new CodeIndex(contextFor(root, 'disk').session.root)
    await look(root, { index })
    plant(root, { 'a.py': TREE['a.py'].replace('run', 'fly') })
    for (const view of [await look(root, { index }), await look(root)]) {
      expect(definitions(view, 'fly')).toEqual(['a.py:2 A'])
      expect(definitions(view, 'run')).toEqual(['lib/c.ts:1 '])
    }
  })

  it('forgets files that are gone, but none beside what was looked at', async () => {
    const root = tempDir()
    const files = (name: string) => Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`made/${name}${index}.py`, `def ${name}${index}(): pass\n`]),
    )
    plant(root, { ...files('old'), 'a.py': 'def kept(): pass\n' })
    await look(root)
    rmSync(join(root, 'made'), { recursive: true })
    plant(root, files('new'))
    await look(root, { start: 'made' })
    const names = [...(await look(root)).definedNames()]
    expect(names.filter((name) => name.startsWith('old'))).toEqual([])
    expect(names).toHaveLength(121)
    const written = readFileSync(join(root, '.hermes/index/code.base'), 'latin1')
    expect([written.includes('old7'), written.includes('new7'), written.includes('kept')]).toEqual([false, true, true])
  })

  it('writes nothing in a dry run, nor for a few files', async () => {
    const root = tempDir()
    plant(root, { ...TREE, ...MANY })
    expect(definitions(await look(root, { dryRun: true }), 'run')).toHaveLength(2)
    expect(definitions(await look(root, { start: 'lib' }), 'run')).toHaveLength(1)
    expect(readdirSync(root).sort()).toEqual(['a.py', 'lib', 'many'])
  })

  it('takes no index that came from elsewhere', async () => {
    const [root, other] = [tempDir(), tempDir()]
    plant(root, { ...TREE, ...MANY })
    await searchText(root)
    plant(other, { ...TREE, ...MANY, 'a.py': 'class B:\n  def fun(self): pass\n' })
    cpSync(join(root, '.hermes'), join(other, '.hermes'), { recursive: true, preserveTimestamps: true })
    expect([loadSegment(root, 'delta'), loadPassages(root)]).not.toContain(undefined)
    expect([loadSegment(other, 'delta'), loadPassages(other)]).toEqual([undefined, undefined])
    expect(definitions(await look(other), 'run')).toEqual(['lib/c.ts:1 '])
    expect(definitions(await look(other), 'fun')).toEqual(['a.py:2 B'])
  })

  it.each([0, 0.2, 0.5, 0.8, 0.99])('builds anew what was overwritten where it lies, from %s of it on', async (share) => {
    const root = tempDir()
    plant(root, { ...TREE, ...MANY })
    await look(root)
    const path = join(root, '.hermes/index/code.delta')
    const bytes = readFileSync(path)
    const file = openSync(path, 'r+')
    writeSync(file, bytes.fill(255, Math.floor(bytes.length * share)))
    closeSync(file)
    const view = await look(root)
    expect(definitions(view, 'run')).toEqual(['a.py:2 A', 'lib/c.ts:1 '])
    expect(view.facts(view.files[0]!)?.definitions).toHaveLength(3)
  })

  it('names languages that it cannot parse', async () => {
    const root = tempDir()
    plant(root, { 'a.cob': '', 'b.cob': '', 'c.awk': '', 'd.txt': '', 'node_modules/e.awk': '' })
    expect((await look(root)).unparsed).toEqual([{ language: 'COBOL', files: 2 }, { language: 'AWK', files: 1 }])
  })
})
