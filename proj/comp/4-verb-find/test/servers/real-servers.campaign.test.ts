/**
 * Real language servers in the sandbox. They come from the registry, once, in pinned versions; or they are those below
 * `HERMES_TEST_LANGUAGE_SERVERS`, a directory with a folder for each of the names below that has its `node_modules`.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { run } from '../../../../test/support/packed.js'
import { serve } from './serve.js'

const GIVEN = process.env['HERMES_TEST_LANGUAGE_SERVERS']
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/hermes-language-servers/', import.meta.url))
const TYPESCRIPT = 'typescript@5.9.3'

interface RealServer {
  name: string
  packages: readonly string[]
  program: string
  languages: readonly string[]
  files: Readonly<Record<string, string>>
  /** A use of what is renamed, and where it is defined. */
  use: { file_path: string; line: number; column: number }
  definition: { path: string; line: number; column: number; name: string }
  symbol: string
  renamed: Readonly<Record<string, string>>
  unrenamed: readonly object[]
  /** An edit that makes a mistake, and what is told of it. */
  mistake: { path: string; old_text: string; new_text: string }
  told: RegExp
}

const PYTHON = {
  'pkg/__init__.py': '',
  'pkg/a.py': 'class Server:\n    def stop(self) -> int:\n        return 1\n\n\ndef make() -> Server:\n    return Server()\n',
  'main.py': 'from pkg.a import make\n\nemoji = "😀"; s = make(); s.stop()\n\n\ndef other(x):\n    x.stop()\n',
}
const SCRIPTS = {
  'tsconfig.json': '{"compilerOptions": {"strict": true}, "include": ["src"]}',
  'src/a.ts': 'export class Box {\n  open(): number {\n    return 1\n  }\n}\n',
  'src/b.ts': "import { Box } from './a'\nexport const b = new Box()\nb.open()\nconst { open } = b\r\nopen()\n",
}
const TYPESCRIPT_SERVER = {
  program: 'typescript-language-server', languages: ['typescript'], files: SCRIPTS,
  use: { file_path: 'src/b.ts', line: 3, column: 3 },
  definition: { path: 'src/a.ts', line: 2, column: 3, name: 'open' },
  symbol: 'Box.open',
  renamed: {
    'src/a.ts': SCRIPTS['src/a.ts'].replace('open', 'unlock'),
    'src/b.ts': SCRIPTS['src/b.ts'].replace('b.open', 'b.unlock').replace('{ open }', '{ unlock: open }'),
  },
  unrenamed: [{ path: 'src/b.ts', line: 5 }],
  mistake: {
    path: 'src/b.ts', old_text: 'export const b = new Box()',
    new_text: 'export const b = new Box()\nexport const n: number = "a"',
  },
  told: /line 3 2322 Type 'string' is not assignable to type 'number'\.$/,
}
const SERVERS: readonly RealServer[] = [
  {
    name: 'pyright', packages: ['pyright@1.1.414'], program: 'pyright-langserver', languages: ['python'], files: PYTHON,
    use: { file_path: 'main.py', line: 3, column: 29 },
    definition: { path: 'pkg/a.py', line: 2, column: 9, name: 'stop' },
    symbol: 'Server.stop',
    renamed: {
      'pkg/a.py': PYTHON['pkg/a.py'].replace('stop', 'unlock'),
      'main.py': PYTHON['main.py'].replace('s.stop', 's.unlock'),
    },
    unrenamed: [{ path: 'main.py', line: 7 }],
    mistake: { path: 'main.py', old_text: 'def other(x):', new_text: 'n: int = "a"\n\n\ndef other(x):' },
    told: /line 6 reportAssignmentType Type .* is not assignable to declared type "int"/,
  },
  { name: 'typescript-5', packages: ['typescript-language-server@5.3.0', TYPESCRIPT], ...TYPESCRIPT_SERVER },
  { name: 'typescript-4', packages: ['typescript-language-server@4.4.1', TYPESCRIPT], ...TYPESCRIPT_SERVER },
]

function programOf({ name, packages, program }: RealServer): string {
  const place = join(GIVEN ?? CACHE, name)
  const found = join(place, 'node_modules', '.bin', program)
  if (existsSync(found)) return found
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], place)
  return found
}

describe.skipIf(process.platform !== 'linux')('in the sandbox', () => {
  needing('bubblewrap').it.each(SERVERS)('$name finds, renames and tells what is wrong', async (real) => {
    const served = serve(real.files, {}, {
      sandbox: 'bwrap', checks: 'full',
      server: {
        command: programOf(real), args: ['--stdio'], languages: real.languages, start_time: '2m', call_time: '2m',
      },
    })
    await using _ = served.hermes
    const found = await served.call('get_definition', real.use)
    expect(found).toMatchObject({ data: { server: 'fake', definitions: [{ ...real.definition, resolved: true }] } })
    expect(found.hint).toBeUndefined()

    const { data } = await served.call('find_symbol', { symbol_name: real.symbol, include_references: true })
    const { file_path: path, line } = real.use
    expect(data?.['references']).toContainEqual(expect.objectContaining({ path, line, resolved: true }))

    const { success, data: renamed } = await served.call('symbol_rename', {
      path: real.definition.path, symbol: real.symbol, new_name: 'unlock',
    })
    expect([success, renamed]).toMatchObject([true, { unrenamed: real.unrenamed }])
    for (const [name, content] of Object.entries(real.renamed)) expect(served.read(name)).toBe(content)

    const { warnings } = await served.call('edit_replace', real.mistake)
    expect(warnings).toEqual([expect.stringMatching(real.told)])
    const { data: all } = await served.call('diagnostics', { path: real.mistake.path, severity: 'error' })
    expect(all).toMatchObject({ checked: 1, diagnostics: [{ severity: 'error' }] })
  }, 600_000)
})
