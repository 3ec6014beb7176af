import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copySync } from 'fs-extra/esm'
import { describe, expect, it } from 'vitest'
import { spread } from '../support/campaign.js'
import { root, run, useInstalled, version } from '../support/packed.js'
import { tempDir } from '../support/temp-dir.js'

/** The oldest that is supported, and each that has long-term support since. */
const VERSIONS = ['20.19.6', '22.23.3', '24.21.0', '26.10.0']

const LIBRARY = `import { execute, parse } from 'hermes'
import { parse as parseInCore } from 'hermes/core'
import { Agent } from 'hermes/agent'

const result = await execute(process.argv[2], { root: process.argv[3], gitCommit: false, policy: false, sandbox: 'none' })
console.log(JSON.stringify({
  isSame: parse === parseInCore, agent: typeof Agent,
  results: result.results.map(({ action, success, error }) => [action, success, error ?? ''].join(' ').trim()),
}))
`
const verbModule = (name: string, type: string): string => `import { defineVerb, HermesError } from 'hermes'
import * as v from 'valibot'
export default defineVerb({
  name: '${name}', vocabulary: 'clada', description: 'Says it.', category: 'text', type: 'read', examples: [{ text: 'a' }],
  args: v.strictObject({ text: v.string() }), result: v.strictObject({}),
  handler({ text }${type}) {
    if (text === '') throw new HermesError('NOT_TEXT', 'nothing', { hint: 'Say something.' })
    return {}
  },
})
`
/** What stands on a package, a program or WebAssembly of its own. */
const CALLS = [
  { verb: 'fs.writeFile', arguments: { path: 'a.py', content: 'def greet():\n    pass\n' } },
  { verb: 'find_symbol', arguments: { symbol_name: 'greet', path: 'a.py' } },
  { verb: 'search_files', arguments: { query: 'greet', path: '.' } },
  { verb: 'sys.machineInfo', arguments: {} },
  { verb: 'execute_command', arguments: { command: 'cat a.py' } },
  { verb: 'terminal_run', arguments: { command: 'echo $((6 * 7))' } },
]

describe.skipIf(process.platform !== 'linux')('the packed package', () => {
  const installed = useInstalled()

  it.each(spread(VERSIONS, 1))('does its main job with Node %s', (wanted) => {
    const node = nodeOf(wanted)
    expect(run(node, ['--version'], installed.project)).toBe(`v${wanted}\n`)
    const hermes = (...args: readonly string[]): string => (
      run(node, [join(installed.project, 'node_modules', 'hermes', 'dist', 'cli.cjs'), ...args], installed.project)
    )
    expect(hermes('--version')).toBe(`${version()}\n`)

    const place = tempDir()
    copySync(join(root, 'examples', 'project'), place)
    const answer = join(root, 'examples', 'response.md')
    const result = JSON.parse(hermes('apply', answer, '--root', place, '--root-alias', '/workspace', '--json')) as unknown
    expect(result).toMatchObject({ success: true })

    writeFileSync(join(installed.project, 'library.mjs'), LIBRARY)
    const text = CALLS.map((call) => `\`\`\`json hermes\n${JSON.stringify(call)}\n\`\`\``).join('\n\n')
    const told = JSON.parse(run(node, ['library.mjs', text, tempDir()], installed.project)) as unknown
    expect(told).toEqual({ isSame: true, agent: 'function', results: CALLS.map(({ verb }) => `${verb} true`) })

    expect(hermes('replay', join(root, 'examples', 'transcripts'), '--sandbox', 'none')).toContain('17 same')
    expect(JSON.parse(hermes('tools', 'list', '--format', 'mcp', '--json'))).toBeTruthy()
    expect(hermes('doctor', '--json')).toContain(wanted)

    const home = tempDir()
    mkdirSync(join(home, '.hermes', 'verbs'), { recursive: true })
    // This Node takes no types out, and the package that does it for one is not installed here.
    const isOld = wanted.startsWith('20.')
    writeFileSync(join(home, '.hermes', 'config.yaml'), `verbs: [~/.hermes/verbs/say.mjs${isOld ? '' : ', ~/.hermes/verbs/typed.ts'}]\n`)
    writeFileSync(join(home, '.hermes', 'verbs', 'say.mjs'), verbModule('say', ''))
    writeFileSync(join(home, '.hermes', 'verbs', 'typed.ts'), verbModule('typed', ': { text: string }'))
    const command = [`HOME=${home}`, node, join(installed.project, 'node_modules', 'hermes', 'dist', 'cli.cjs')]
    const calls = ['say', ...(isOld ? [] : ['typed'])]
      .map((verb) => `\`\`\`json hermes\n${JSON.stringify({ id: verb, verb, arguments: { text: '' } })}\n\`\`\``)
    writeFileSync(join(home, 'answer.md'), calls.join('\n\n'))
    // Blocks that fail end it with 1.
    const script = 'env "$@" || true'
    const said = JSON.parse(run('sh', ['-c', script, 'sh', ...command, 'apply', join(home, 'answer.md'), '--no-git', '--json'], tempDir())) as {
      results: { code: string; hint: string }[]
      warnings?: string[]
    }
    expect([said.warnings ?? [], ...said.results.map(({ code, hint }) => [code, hint])])
      .toEqual([[], ...calls.map(() => ['NOT_TEXT', 'Say something.'])])
  })
})

/** The program of a version, from the package of the registry that holds just that. */
function nodeOf(wanted: string): string {
  const name = `node-${process.platform}-${process.arch}`
  const place = join(root, 'proj', 'node_modules', '.cache', 'hermes-node', wanted)
  const program = join(place, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${wanted}`], place)
  expect(JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8'))).toMatchObject({ version: wanted })
  return program
}
