import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { createPathGate } from '../../src/policy/index.js'
import { DiskFiles, OverlayFiles } from '../../src/store/index.js'
import { walk } from '../../src/walk/index.js'

describe('walk with stats', () => {
  it.each(['disk', 'overlay'])('tells those of files that are wanted, where the store does: %s', async (kind) => {
    const root = tempDir()
    mkdirSync(join(root, 'd'))
    for (const path of ['a.py', 'd/b.py', 'c.txt', '.env']) writeFileSync(join(root, path), 'text')
    symlinkSync('a.py', join(root, 'link.py'))
    const gate = createPathGate({ root })
    const files = kind === 'disk' ? new DiskFiles() : new OverlayFiles()
    const found = []
    const context = { gate, files, signal: new AbortController().signal }
    const walked = walk(gate.approve('.', 'read'), context, {
      stats: (name) => name.endsWith('.py'), onUnreadable: () => undefined,
    })
    for await (const { path, relative, stat } of walked) {
      if (stat) expect(stat).toEqual(files.stat(path))
      found.push(`${relative} ${stat?.size ?? 'unknown'}`)
    }
    const size = kind === 'disk' ? 4 : 'unknown'
    expect(found).toEqual([`a.py ${size}`, 'c.txt unknown', `d/b.py ${size}`])
  })
})

describe('approveEntry', () => {
  it('denies as approve does', () => {
    const gate = createPathGate({ root: tempDir() })
    const root = gate.approve('.', 'read')
    expect(gate.approveEntry?.(root, 'a.py', 'read')).toBe(gate.approve('a.py', 'read'))
    for (const name of ['.env', '.git', 'id_rsa', '.hermes']) {
      expect(() => gate.approveEntry?.(root, name, 'read')).toThrow(/^Path is denied/)
      expect(() => gate.approve(name, 'read')).toThrow(/^Path is denied/)
    }
  })
})
