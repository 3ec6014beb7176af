import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ApprovalQuestion, Consent, VerbContext } from '../../../0-contracts/src/index.js'
import { contextFor, loadVerb, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

const HERMES = [
  'fs.exists', 'fs.readFile', 'fs.readRange', 'fs.writeFile', 'fs.writeRange', 'fs.deleteFile', 'fs.moveFile',
  'fs.copyFile', 'fs.createDirectory', 'fs.deleteDirectory', 'fs.lineCount', 'fs.listDir',
]
const CORE = ['read_file', 'write_file', 'list_directory', 'delete_file', 'move_file']

/** What the examples are about. */
const TREE = {
  'README.md': '# Project\n', 'src/main.ts': 'one\ntwo\nthree\n', 'src/lib/a.ts': '', 'notes/today.md': 'Today\n',
  'notes/old.md': 'Old\n', 'build/out.js': '',
}

const CLADA = [
  'file_write', 'file_append', 'file_replace_text', 'file_replace_all_text', 'file_replace_lines', 'file_delete',
  'file_move', 'file_read', 'file_read_numbered', 'files_read', 'dir_create', 'dir_delete', 'ls',
]

it.each([...CLADA, ...HERMES, ...CORE])('%s describes every field of arguments and result', async (name) => {
  const { args, result, description } = await loadVerb(name)
  expect(description.length).toBeLessThan(500)
  for (const schema of [args, result]) expectDescriptions(schema as unknown as Shape, name)
})

describe.each([...HERMES, ...CORE])('%s', (name) => {
  it('its examples run as they stand', async () => {
    const { examples, args } = await loadVerb(name)
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const root = tempDir()
      plant(root, TREE)
      expect(v.safeParse(args, example).success).toBe(true)
      expect(await runVerb(name, example as object, contextFor(root, 'disk'))).toHaveProperty('data')
    }
  })

  it('refuses what is outside the root, with nothing changed', async () => {
    const outside = tempDir()
    plant(outside, { 'a.txt': 'x\n', d: { dir: true } })
    const { args } = await loadVerb(name)
    const root = tempDir()
    plant(root, { 'in.txt': '' })
    const path = join(outside, name.includes('irect') ? 'd' : 'a.txt')
    const given = { ...SAMPLE[name], ...pathsIn(args as unknown as Shape, path) }
    expect(await runVerb(name, given, contextFor(root, 'disk'))).toMatchObject({
      code: 'POLICY_DENIED', hint: expect.stringContaining('inside the root'),
    })
    expect(readdirSync(outside)).toEqual(['a.txt', 'd'])
    expect(readdirSync(root)).toEqual(['in.txt'])
  })
})

interface Shape {
  entries?: Record<string, Shape>
  wrapped?: Shape
  item?: Shape
  pipe?: { type: string; description?: string; metadata?: { format?: string } }[]
}

function expectDescriptions({ entries = {}, item: listed }: Shape, place: string): void {
  if (listed) expectDescriptions(listed, place)
  for (const [name, field] of Object.entries(entries)) {
    const inner = field.wrapped ?? field
    const description = inner.pipe?.find(({ type }) => type === 'description')?.description
    expect(description, `${place} ${name}`).toMatch(/^[A-Z].*\.$/s)
    expect(description?.length, `${place} ${name}`).toBeLessThan(500)
    if (inner.item) expectDescriptions(inner.item, `${place} ${name}`)
  }
}

/** Every path parameter with the same value. */
function pathsIn({ entries = {} }: Shape, path: string): Record<string, string> {
  const names = Object.entries(entries)
    .filter(([, { pipe = [] }]) => pipe.some(({ metadata }) => metadata?.format === 'path'))
    .map(([name]) => name)
  expect(names.length).toBeGreaterThan(0)
  return Object.fromEntries(names.map((name) => [name, path]))
}

/** Other parameters they need. */
const SAMPLE: Record<string, object> = {
  'fs.readRange': { startLine: 1, endLine: 1 },
  'fs.writeFile': { content: 'new' },
  'fs.writeRange': { startLine: 1, content: 'new' },
  write_file: { content: 'new' },
  delete_file: { confirm: true },
}

describe('core schemas', () => {
  it.each([
    ['read_file', { path: 'a', start_line: 0 }], ['read_file', { path: 'a', end_line: 1.5 }],
    ['read_file', { path: 'a', encoding: 'latin1' }], ['read_file', { path: '../a' }],
    ['read_file', { path: 'x'.repeat(4097) }], ['write_file', { path: 'a', content: 'x'.repeat(1_048_577) }],
    ['write_file', { path: 'a', content: 1 }], ['list_directory', { path: '.', max_depth: 0 }],
    ['list_directory', { path: '.', recursive: 'yes' }], ['delete_file', {}], ['move_file', { source: 'a' }],
  ])('%s refuses %o', async (name, args) => {
    expect(v.safeParse((await loadVerb(name)).args, args).success).toBe(false)
  })

  it('write_file takes 1,048,576 characters, however many bytes they are', async () => {
    const content = '👋'.repeat(1_048_576)
    const context = contextFor(tempDir(), 'disk', { maxFileBytes: 10_000_000 })
    const outcome = await runVerb('write_file', { path: 'a', content }, context)
    expect(outcome).toMatchObject({ data: { bytes_written: 4_194_304 } })
  })
})

describe('delete_file', () => {
  function asking(root: string, answer: Consent): { context: VerbContext; asked: ApprovalQuestion[] } {
    const asked: ApprovalQuestion[] = []
    const approve = async (request: ApprovalQuestion): Promise<Consent> => {
      asked.push(request)
      return answer
    }
    return { context: { ...contextFor(root, 'disk'), approve }, asked }
  }

  it('asks, and deletes when that is granted', async () => {
    const root = tempDir()
    plant(root, { 'a\n.txt': 'x' })
    const { context, asked } = asking(root, 'granted')
    expect(await runVerb('delete_file', { path: 'a\n.txt' }, context)).toEqual({ data: { path: 'a\n.txt' } })
    expect(asked).toEqual([{
      action: 'delete_file', kind: 'confirm', reason: String.raw`Delete the file 'a\n.txt'`,
      paths: [join(root, 'a\n.txt')], diff: expect.stringContaining('txt'),
    }])
    expect(readdirSync(root)).toEqual([])
  })

  it('leaves the file when the user says no, and does not suggest to go round that', async () => {
    const root = tempDir()
    plant(root, { 'a.txt': 'x' })
    expect(await runVerb('delete_file', { path: 'a.txt' }, asking(root, 'denied').context)).toEqual({
      code: 'APPROVAL_DENIED',
      message: "delete_file: the user does not want 'a.txt' to be deleted",
      hint: 'Leave the file as it is, or ask the user what to do. Write confirm: true only when they agree.',
    })
    expect(existsSync(join(root, 'a.txt'))).toBe(true)
  })

  it('does not ask when it is confirmed, or when there is no file', async () => {
    const root = tempDir()
    plant(root, { 'a.txt': 'x' })
    const { context, asked } = asking(root, 'granted')
    await runVerb('delete_file', { path: 'a.txt', confirm: true }, context)
    await runVerb('delete_file', { path: 'a.txt' }, context)
    expect(asked).toEqual([])
  })
})

describe('a cancelled run', () => {
  it.each([
    ['fs.deleteDirectory', { path: 'd' }], ['fs.lineCount', { path: 'd/a.txt' }],
    ['list_directory', { path: '.', recursive: true }],
  ])('ends %s', async (name, args) => {
    const root = tempDir()
    plant(root, { 'd/a.txt': 'x' })
    const context = { ...contextFor(root, 'disk'), signal: AbortSignal.abort() }
    expect(await runVerb(name, args, context)).toMatchObject({ code: 'CANCELLED' })
    expect(existsSync(join(root, 'd/a.txt'))).toBe(true)
  })
})
