/**
 * Packages that a run plants where hermes would look for its own: in each way of installing it, none of them is loaded,
 * and those that are what they should be are.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LaidOut, layOut, LAYOUTS } from '../../trials/planting/layouts.mjs'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { tempDir } from '../support/temp-dir.js'

const ANSWER = [
  { verb: 'search_files', arguments: { query: 'greet', path: 'greet.ts' } },
  { verb: 'terminal_run', arguments: { command: 'echo hello' } },
  { verb: 'get_definition', arguments: { file_path: 'greet.ts', line: 2, column: 2 } },
  { verb: 'sys.machineInfo', arguments: {} },
  { verb: 'proc.run', arguments: { executable: 'true', args: [] } },
  { verb: 'find_symbol', arguments: { symbol_name: 'greet', include_references: true } },
].map((call, at) => `\`\`\`json hermes\n${JSON.stringify({ id: `b${at}`, ...call })}\n\`\`\``).join('\n\n')
/** What the code of hermes, or of a package in it, has ever asked for by its bare name. */
const NAMES = [
  'valibot', 'cross-spawn', 'execa', 'systeminformation', 'bullmq', 'ioredis', 'typescript', 'clipboardy', 'yaml', 'diff',
  '@vscode/ripgrep', '@lydell/node-pty', '@vscode/tree-sitter-wasm', 'osx-temperature-sensor', 'msgpackr-extract',
  'supports-color',
]
const PLATFORM = `${process.platform}-${process.arch}`
const NOBODY = 65534
const users = spread([
  ...(process.getuid?.() === 0 ? [{ name: 'as an unprivileged user', uid: NOBODY }] : []),
  { name: 'as this user', uid: undefined },
], 2)

interface Result {
  blockId: string
  success: boolean
  error?: string
  hint?: string
}

/** Takes the copies that hermes made before away, so that it looks at the packages again. */
function apply({ project, cwd, command }: LaidOut, uid: number | undefined): Result[] {
  const home = join(dirname(project), 'home')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  if (uid !== undefined) ownAll(dirname(project), uid)
  const { stdout, stderr } = spawnSync(
    process.execPath, [command, 'apply', '-', '--json', '--no-git', '--sandbox', 'none'],
    { cwd, input: ANSWER, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/sh' }, ...(uid !== undefined && { uid, gid: uid }) },
  )
  expect(stderr).toBe('')
  return (JSON.parse(stdout) as { results: Result[] }).results
}

function ownAll(directory: string, uid: number): void {
  for (const path of [directory, ...readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(name => join(directory, name))]) {
    lchownSync(path, uid, uid)
  }
  chmodSync(directory, 0o755)
}

function laidOut(layout: (typeof LAYOUTS)[number]): LaidOut {
  const directory = join(tempDir(), 'deep')
  mkdirSync(directory)
  chmodSync(dirname(directory), 0o755)
  const place = layOut(layout, directory)
  writeFileSync(join(place.cwd, 'greet.ts'), 'export function greet(): void {}\ngreet()\n')
  return place
}

describe.skipIf(process.platform === 'win32').each(users)('packages beside hermes, $name', ({ uid }) => {
  needing('node-pty', 'ripgrep').it.each(spread(LAYOUTS, 3))('%s: those that the build pinned work', layout => {
    const place = laidOut(layout)
    const [search, terminal, definition, , , symbol] = apply(place, uid)
    expect([search?.success, terminal?.success]).toEqual([true, true])
    expect(definition).toMatchObject({ success: false, error: expect.stringContaining('is not installed') as string })
    expect(symbol).toMatchObject({ success: true, hint: expect.stringMatching(/^References are only told by name: .* is not installed\. The user can add it/) as string })
  })

  it.each(spread(LAYOUTS, 3, 1))('%s: what is planted in their place is not loaded', layout => {
    const place = laidOut(layout)
    const marker = join(dirname(place.project), 'fired')
    const payload = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, __filename)\n`
    const further = layout === 'global' ? [] : [join(place.place, '..'), join(place.cwd, 'node_modules')]
    for (const modules of new Set([...place.modules, ...further])) {
      for (const name of NAMES) {
        const directory = join(modules, name)
        if (existsSync(directory)) rmSync(directory, { recursive: true })
        mkdirSync(join(directory, 'lib'), { recursive: true })
        writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, version: '9.9.9', main: 'index.js' }))
        for (const file of ['index.js', 'lib/typescript.js', 'lib/index.js']) writeFileSync(join(directory, file), payload)
      }
      plantBinaries(modules, marker)
    }
    const results = apply(place, uid)
    expect(existsSync(marker)).toBe(false)
    if (layout !== 'global') {
      expect(results[1]).toMatchObject({
        success: false, error: expect.stringMatching(/index\.js is not the file of @lydell\/node-pty that hermes was built with/) as string,
        hint: expect.stringContaining('Install hermes outside of the root') as string,
      })
      expect(results[2]).toMatchObject({
        success: false, error: expect.stringMatching(/typescript\.js is not the file of typescript that hermes was built with/) as string,
        hint: expect.stringContaining('typescript@') as string,
      })
    }
    // Without ripgrep files are searched all the same.
    expect(results[0]?.success).toBe(true)
  })

  needing('node-pty', 'ripgrep').it('one changed byte of an addon or a program is seen, also where its package is genuine', () => {
    const place = laidOut('project')
    const [modules = ''] = place.modules
    appendFileSync(join(modules, `@lydell/node-pty-${PLATFORM}`, 'pty.node'), '\0')
    expect(apply(place, uid)[1]).toMatchObject({
      success: false, error: expect.stringContaining('pty.node is not the file of @lydell/node-pty-') as string,
    })
  })
})

/** In the place of a program one that leaves a mark; an addon that is none fails as it is loaded. */
function plantBinaries(modules: string, marker: string): void {
  const [ripgrep, pty] = [join(modules, `@vscode/ripgrep-${PLATFORM}`, 'bin'), join(modules, `@lydell/node-pty-${PLATFORM}`)]
  for (const directory of [ripgrep, pty]) mkdirSync(directory, { recursive: true })
  for (const directory of [dirname(ripgrep), pty]) writeFileSync(join(directory, 'package.json'), '{"name": "x", "version": "1.18.0"}')
  writeFileSync(join(ripgrep, 'rg'), `#!/bin/sh\necho rg > '${marker}'\n`, { mode: 0o755 })
  chmodSync(join(ripgrep, 'rg'), 0o755)
  writeFileSync(join(pty, 'pty.node'), 'no addon')
}
