import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { nameOf, nameText } from '../../src/replay/compare/byte-names.js'
import { hashOfTree, readTree } from '../../src/replay/compare/tree-hash.js'

async function hashOf(make: (root: string) => void): Promise<string> {
  const root = tempDir()
  make(root)
  return hashOfTree(await readTree(root))
}

it('trees of other names and links have other hashes', async () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const one = await hashOf((root) => writeFileSync(join(root, `a\nfile ${empty} b`), ''))
  const two = await hashOf((root) => ['a', 'b'].map((name) => writeFileSync(join(root, name), '')))
  expect(one).not.toBe(two)
  const [left, right] = await Promise.all([hashOf((root) => symlinkSync('x', join(root, 'y z'))), hashOf((root) => symlinkSync('x y', join(root, 'z')))])
  expect(left).not.toBe(right)
})

it('what has usual names has the hash it had', async () => {
  expect(await hashOf((root) => {
    mkdirSync(join(root, 'd'))
    writeFileSync(join(root, 'é a'), 'x')
    symlinkSync('é', join(root, 'l'))
  })).toBe('sha256:f04989e93aaadbb036175d02700b3b902b432f6ed2ce081be5dfc1d0f20390ac')
})

it('each name has a text of its own', () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
    const name = Buffer.from(bytes)
    expect(nameOf(nameText(name))).toEqual(name)
    expect(nameText(name)).not.toContain('\n')
  }))
  expect(nameOf(nameText(Buffer.from('é\\x\n')))).toEqual(Buffer.from('é\\x\n'))
})
