import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const { version, exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string; exports: object }

const CONSUMER = `import { execute, Hermes, parse, type ExecutionResult } from 'hermes'
import { Agent } from 'hermes/agent'
import { aiSdkTools } from 'hermes/ai-sdk'
import { anthropicTools, runToolUses } from 'hermes/anthropic'
import { parse as parseInBrowser } from 'hermes/core'
import { EXTENSION_ERRORS, type ExtensionDefinition } from 'hermes/extension'
import { chatTools, responsesTools, runChatCalls, runResponsesCalls } from 'hermes/openai'

const result: ExecutionResult = await execute('No blocks here.')
if (!result.success || result.totalBlocks !== 0) throw new Error(JSON.stringify(result))
if (parse('').blocks.length + parseInBrowser('').blocks.length !== 0) throw new Error('parse')

if (typeof Agent.prototype.chat !== 'function') throw new Error('agent')

const extension: ExtensionDefinition = { name: 'x', commands: { done: async ({ ui }) => ui.showMessage('done') } }
if (extension.name !== 'x' || EXTENSION_ERRORS.noMessage !== -32003) throw new Error('extension')

// None of the packages that these are for is installed here.
const hermes = new Hermes({ gitCommit: false, policy: false })
const tools = await chatTools(hermes)
const counts = [tools, await responsesTools(hermes), await anthropicTools(hermes), Object.keys(await aiSdkTools(hermes))].map((each) => each.length)
if (tools.length === 0 || new Set(counts).size !== 1) throw new Error(counts.join())
const called = { id: 'a', function: { name: 'no_such_tool', arguments: '{}' } }
const [answer] = await runChatCalls(hermes, { message: { tool_calls: [called] } })
if (answer?.content.includes('Unknown action') !== true) throw new Error(answer?.content)
const none = [...await runResponsesCalls(hermes, { output: [] }), ...await runToolUses(hermes, { content: [] })]
if (none.length > 0) throw new Error('answers')
`
const CONSUMER_OPTIONS = {
  compilerOptions: {
    target: 'ES2023', module: 'NodeNext', strict: true, exactOptionalPropertyTypes: true, types: [], outDir: 'out',
  },
  files: ['consumer.ts'],
}

describe('the packed package', () => {
  let tarball: string
  let consumer: string

  beforeAll(() => {
    // Packing must not build (that would pull dist away from under other tests), so the build comes first.
    if (!existsSync(join(root, 'dist', 'cli.cjs'))) throw new Error('dist is missing: npm run build')
    consumer = mkdtempSync(join(tmpdir(), 'hermes-package-'))
    run('npm', ['pack', '--ignore-scripts', '--pack-destination', consumer], root)
    tarball = join(consumer, `hermes-${version}.tgz`)
    writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball], consumer)
  }, 300_000)

  afterAll(() => rmSync(consumer, { recursive: true, force: true }))

  it('has a command', () => {
    expect(run('npx', ['--no-install', 'hermes', '--version'], consumer)).toBe(`${version}\n`)
  })

  it('type-checks and runs as a library', () => {
    writeFileSync(join(consumer, 'consumer.ts'), CONSUMER)
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(CONSUMER_OPTIONS))
    run(process.execPath, [tsc, '-p', consumer], consumer)
    expect(run(process.execPath, [join('out', 'consumer.js')], consumer)).toBe('')
  }, 60_000)

  it('ships no sources and no tests', () => {
    const files = run('tar', ['-tzf', tarball], consumer).trim().split('\n')
    const allowed = /^package\/(dist\/.*(\.c?js|\.cjs\.cache|\.d\.ts)|dist\/licenses\.txt|dist\/hermes\.1|dist\/grammars\/.*\.wasm|dist\/pages\/[a-z-]+\.css|[^/]+)$/
    expect(files.filter(file => !allowed.test(file))).toEqual([])
  })

  it('passes publint', () => {
    expect(run(process.execPath, [programOf('publint'), 'run', tarball, '--strict'], consumer)).toContain('All good!')
  })

  it('passes attw', () => {
    const program = programOf('@arethetypeswrong/cli', 'attw')
    const table = run(process.execPath, [program, tarball, '--profile', 'esm-only', '--no-color'], consumer)
    for (const entry of Object.keys(entries)) expect(table).toContain(`"${entry.replace('.', 'hermes')}"`)
  }, 60_000)
})

/** Standard output; a failure's message has all that was printed. */
function run(program: string, args: string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/** The file of a package's command. */
function programOf(name: string, command = name): string {
  const manifest = join(root, 'proj', 'node_modules', name, 'package.json')
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> }
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command] ?? '')
}
