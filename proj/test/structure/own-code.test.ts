/** What is built asks Node for no package: where hermes is installed, one could have been planted. */
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { addPackages } from '../../comp/0-contracts/src/index.js'
import { PINNED_FILES } from '../../comp/2-packages/src/index.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** `require('x')`, `import('x')`, `require.resolve('x')`; also where `require` has been wrapped. */
const ASKED = /(?:\brequire(?:\.\w+)?\(|\bimport\(|\bimport\(id\)\)\)\(|\bcreateRequire\([^)]*\)\()\s*([`"'])((?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/[\w./-]+)?)\1/g
/** Texts with such a call in them: code that is written for others, or for a Mac's own script language. */
const TEXTS = /^(?:ajv(?:-formats)?\/dist\/|AppKit$|Foundation$)/

it('no built file asks for a package', () => {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.c?js$/.test(name) && !name.startsWith('types') && !name.startsWith('pages') && name !== 'core.js')
  expect(files.length).toBeGreaterThan(100)
  const asked = files.flatMap(name => [...readFileSync(join(root, 'dist', name), 'latin1').matchAll(ASKED)]
    .map(([, , id = '']) => id).filter(id => !isBuiltin(id) && !TEXTS.test(id)).map(id => `${name}: ${id}`))
  expect(asked).toEqual([])
})

it('the versions that are pinned are those that package.json installs and hints name', () => {
  const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    optionalDependencies: Record<string, string>
    packages: Record<string, { version: string }>
  }
  const { packages } = json('package-lock.json')
  for (const [name, version] of PINNED_FILES.filter(([one]) => one !== 'typescript')) {
    expect([name, version]).toEqual([name, packages[`node_modules/${name}`]?.version])
  }
  for (const [name, version] of Object.entries(json('package.json').optionalDependencies)) {
    expect(PINNED_FILES.some(pin => pin[0].startsWith(name) && pin[1] === version)).toBe(true)
    expect(addPackages(name)).toContain(` ${name}@${version},`)
  }
  const [newest] = PINNED_FILES.filter(([name]) => name === 'typescript').map(([, version]) => version).slice(-1)
  expect(addPackages('typescript')).toContain(` typescript@${newest},`)
})
