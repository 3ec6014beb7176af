import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { PathAccess } from '../../../0-contracts/src/index.js'
import { createPathGate } from '../../src/policy/index.js'

type Entry = { file: string } | { link: string; target: string }
interface Case {
  name: string
  path: string
  access?: PathAccess
  root?: string
  allow?: string[]
  aliases?: string[]
  expected?: string
  code?: string
  message?: string
}
const { tree, cases } = JSON.parse(
  readFileSync(new URL('../../test-data/policy/escapes.cases.json', import.meta.url), 'utf8'),
) as { tree: Entry[]; cases: Case[] }

/** Builds the tree in a fresh directory; returns what fills the placeholders of the cases. */
function build(): (text: string) => string {
  const base = tempDir()
  const fill = (text: string) => text
    .replaceAll('{root}', join(base, 'root'))
    .replaceAll('{outside}', join(base, 'outside'))
    .replaceAll('{base}', base)
    .replaceAll('{longpath}', 'name/'.repeat(1000))
    .replaceAll('{long}', 'x'.repeat(300))
  mkdirSync(join(base, 'root/.git/hooks-shared'), { recursive: true })
  for (const entry of tree) {
    const path = fill('file' in entry ? entry.file : entry.link)
    mkdirSync(dirname(path), { recursive: true })
    if ('file' in entry) writeFileSync(path, entry.file)
    else symlinkSync(fill(entry.target), path)
  }
  return fill
}

describe('createPathGate: every known way out', () => {
  it.each(cases)('$name', (golden) => {
    const { path, access = 'read', root = '{root}', allow = [], aliases = [], expected, code, message } = golden
    const fill = build()
    const gate = createPathGate({ root: fill(root), allow: allow.map(fill), aliases: aliases.map(fill) })
    if (expected !== undefined) {
      expect(gate.approve(fill(path), access)).toBe(fill(expected))
      return
    }
    let caught: unknown
    try {
      gate.approve(fill(path), access)
    } catch (error) {
      caught = error
    }
    expect(caught).toMatchObject({ code, ...(message !== undefined && { message: fill(message) }) })
    expect((caught as Error).message).not.toContain('\n')
  })
})
