import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programOf, root, run, useInstalled, version } from '../support/packed.js'

const tsc = programOf('typescript', 'tsc')
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }

const CONSUMER = `import { execute, Hermes, parse, type ExecutionResult } from 'hermes'
import { Agent } from 'hermes/agent'
import { aiSdkTools } from 'hermes/ai-sdk'
import { anthropicTools, runToolUses } from 'hermes/anthropic'
import { parse as parseInBrowser } from 'hermes/core'
import { EXTENSION_ERRORS, type ExtensionDefinition } from 'hermes/extension'
import { dialogueUi, Extensions, HermesError } from 'hermes/extension-host'
import { chatTools, responsesTools, runChatCalls, runResponsesCalls } from 'hermes/openai'

const result: ExecutionResult = await execute('No blocks here.')
if (!result.success || result.totalBlocks !== 0) throw new Error(JSON.stringify(result))
if (parse('').blocks.length + parseInBrowser('').blocks.length !== 0) throw new Error('parse')

if (typeof Agent.prototype.chat !== 'function') throw new Error('agent')

const extension: ExtensionDefinition = { name: 'x', commands: { done: async ({ ui }) => ui.showMessage('done') } }
if (extension.name !== 'x' || EXTENSION_ERRORS.noMessage !== -32003) throw new Error('extension')

const said: string[] = []
const host = new Extensions({
  extensions: [{ name: 'tidy', command: ['python3', 'node_modules/hermes/examples/extensions/tidy.py'], run: 'mend' }],
  ui: dialogueUi({
    'ui/showMessage': ({ message }) => {
      said.push(message)
      return { acknowledged: true }
    },
  }),
})
const block = '#!SHAM [@three-char-SHA-256: abc]\\naction = "git_status"\\n#!END_SHAM_abc\\n'
const { text, rewrites } = await host.rewrite(block.replace('#!SHAM', '#! sham'))
await host.stop()
if (text !== block || rewrites[0]?.command !== 'mend' || said.length !== 1) throw new Error(text + said.join())
const stopped: unknown = await host.rewrite('').catch((error: unknown) => error)
if (!(stopped instanceof HermesError) || stopped.code !== 'CANCELLED') throw new Error(String(stopped))

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


const ANSWER = [
  { verb: 'fs.writeFile', arguments: { path: 'made.txt', content: 'made\n' } },
  { verb: 'find_symbol', arguments: { symbol_name: 'greet', path: 'greet.py' } },
  { verb: 'search_files', arguments: { query: 'greet', path: '.' } },
  { verb: 'get_definition', arguments: { file_path: 'greet.ts', line: 1, column: 1 } },
].map((call) => `\`\`\`json hermes\n${JSON.stringify(call)}\n\`\`\``).join('\n\n')
const MEGABYTE = 1_000_000

describe('the packed package', () => {
  const installed = useInstalled()

  it('has a command', () => {
    expect(run('npx', ['--no-install', 'hermes', '--version'], installed.project)).toBe(`${version()}\n`)
  })

  it('takes at most 25 MB with its optional parts', () => {
    expect(bytesOf(join(installed.project, 'node_modules'))).toBeLessThan(25 * MEGABYTE)
  })

  it('type-checks and runs as a library', () => {
    writeFileSync(join(installed.project, 'consumer.ts'), CONSUMER)
    writeFileSync(join(installed.project, 'tsconfig.json'), JSON.stringify(CONSUMER_OPTIONS))
    run(process.execPath, [tsc, '-p', installed.project], installed.project)
    expect(run(process.execPath, [join('out', 'consumer.js')], installed.project)).toBe('')
  })

  it('ships no sources and no tests, and nothing that is made for this machine alone', () => {
    const files = run('tar', ['-tzf', installed.tarball], installed.project).trim().split('\n')
    const ours = files.filter((file) => !/^package\/(?:docs|examples)\//.test(file))
    const allowed = new RegExp([
      'dist/(?:chunks/(?:packages/)?)?[\\w-]+\\.cjs', 'dist/chunks/packages/[\\w-]+\\.cjs\\.br',
      'dist/[\\w-]+\\.js', 'dist/types/(?:shared/)?[\\w-]+\\.d\\.ts',
      'dist/licenses\\.txt', 'dist/hermes\\.1', 'dist/packages/valibot\\.mjs\\.br', 'dist/grammars/[\\w-]+\\.(?:(?:wasm|js)\\.br|cjs)', 'dist/pages/[a-z-]+\\.(?:css|js)',
      '(?:README|CHANGELOG)\\.md', 'LICENSE', 'package\\.json', 'unified-design\\.yaml',
    ].map((each) => `^package/${each}$`).join('|'))
    expect(ours.filter((file) => !allowed.test(file))).toEqual([])
    expect(ours).toContain('package/LICENSE')
  })

  it('passes publint', () => {
    const told = run(process.execPath, [programOf('publint'), 'run', installed.tarball, '--strict'], installed.project)
    expect(told).toContain('All good!')
  })

  it('passes attw', () => {
    const args = [programOf('@arethetypeswrong/cli', 'attw'), installed.tarball, '--profile', 'esm-only', '--no-color']
    const table = run(process.execPath, args, installed.project)
    for (const entry of Object.keys(entries)) expect(table).toContain(`"${entry.replace('.', 'hermes')}"`)
  })
})

describe('the packed package without its optional parts', () => {
  const installed = useInstalled('--omit=optional')

  it('takes at most 13 MB and 5 packages', () => {
    const modules = join(installed.project, 'node_modules')
    expect(readdirSync(modules).filter((name) => !name.startsWith('.')).length).toBeLessThanOrEqual(5)
    expect(bytesOf(modules)).toBeLessThan(13 * MEGABYTE)
  })

  it('runs a block, parses code, and says what is missing', () => {
    const { project } = installed
    writeFileSync(join(project, 'greet.py'), 'def greet():\n    pass\n')
    writeFileSync(join(project, 'greet.ts'), 'export const greet = 1\n')
    writeFileSync(join(project, 'answer.md'), ANSWER)
    const args = ['--no-install', 'hermes', 'apply', 'answer.md', '--json', '--no-git']
    const told = orPrinted(() => run('npx', args, project))
    expect(JSON.parse(told)).toMatchObject({
      results: [
        { blockId: 'b1', success: true }, { blockId: 'b2', success: true, data: { symbols: [{ name: 'greet' }] } },
        { blockId: 'b3', success: true }, { blockId: 'b4', success: false, code: 'NOT_INSTALLED' },
      ],
    })
  })
})

/** The command exits with 1, since one of the blocks fails. */
function orPrinted(printed: () => string): string {
  try {
    return printed()
  } catch (error) {
    return ((error as Error).cause as { stdout: string }).stdout
  }
}

/** What all files take, in bytes; those that are linked twice count twice, as they are unpacked. */
function bytesOf(directory: string): number {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name)
    return sum + (entry.isDirectory() ? bytesOf(path) : lstatSync(path).size)
  }, 0)
}
