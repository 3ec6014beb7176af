import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { plant, type Tree, walked } from './planted-tree.js'

describe('walk without dependencies', () => {
  it.each<[name: string, tree: Tree, start: string, found: string[]]>([
    ['folders of dependencies, also without .gitignore', {
      'a.js': '', 'node_modules/b/c.js': '', 'lib/node_modules/d.js': '', '.venv/e.py': '', 'x/site-packages/f.py': '',
      '__pycache__/g.py': '',
    }, '.', ['a.js']],
    ['vendor where a file of its tool is beside it', {
      'go/go.mod': '', 'go/vendor/a.go': '', 'own/vendor/b.go': '',
    }, '.', ['go/go.mod', 'own/vendor/b.go']],
    ['target where a file of its tool is beside it', {
      'rust/Cargo.toml': '', 'rust/target/a.rs': '', 'own/target/b.rs': '',
    }, '.', ['own/target/b.rs', 'rust/Cargo.toml']],
    ['an environment of Python under any name', { 'mine/pyvenv.cfg': '', 'mine/lib/a.py': '', 'b.py': '' }, '.', ['b.py']],
    ['not sources of a build', { 'package.json': '', 'build/a.js': '' }, '.', ['build/a.js', 'package.json']],
    ['one that is named itself', { 'node_modules/a/b.js': '' }, 'node_modules/a', ['b.js']],
  ])('passes over %s', async (_name, tree, start, found) => {
    const root = tempDir()
    plant(root, tree)
    expect(await walked(root, start, { dependencies: false })).toEqual(found)
  })
})
