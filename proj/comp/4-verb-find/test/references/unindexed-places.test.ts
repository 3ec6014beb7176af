import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

const TREES: [language: string, tree: Record<string, string>, name: string, uses: string[]][] = [
  ['TypeScript', {
    'a.ts': 'export class Shell {\n  run() {}\n}\n',
    'b.ts': "import { Shell } from './a'\nconst s = new Shell()\ns['run']()\n/** {@link Shell.run} */\ns.run()\n",
  }, 'Shell.run', ["s['run']()", '/** {@link Shell.run} */', 's.run()']],
  ['Python', {
    'a.py': 'class Shell: pass\n',
    'b.py': 'from a import Shell\n\ndef f(a: "Shell"): pass\n',
  }, 'Shell', ['from a import Shell', 'def f(a: "Shell"): pass']],
]

it.each(TREES)('find_symbol shows uses in strings and comments of %s, of which the index has none', async (
  _, tree, name, uses,
) => {
  const root = tempDir()
  plant(root, tree)
  const args = { symbol_name: name, include_references: true }
  const result = await runVerb('find_symbol', args, contextFor(root, 'disk', { maxMatches: 50 }))
  expect(result).toMatchObject({ data: { references: uses.map((text) => ({ text, resolved: true })) } })
})
