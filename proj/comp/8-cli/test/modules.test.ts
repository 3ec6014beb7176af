import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { useCli } from '../../../test/support/cli.js'
import { parse } from '../../1-reading/src/parsers/index.js'
import {
  exampleCall, shamBlock, TOOLSET_NAMES, validateCall, VerbRegistry,
} from '../../1-registry/src/registry/index.js'
import { shamText } from '../../1-registry/src/index.js'
import { VERBS } from '../../5-executor/src/verbs/index.js'
import { COMMAND_GROUPS, COMMANDS } from '../src/commands.js'
import { commandHelp, generalHelp } from '../src/help/command-help.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..')

describe('what --version and --help load', () => {
  it('is the command line alone: no verb, no executor, no package', async () => {
    const input = join(root, 'proj', 'src', 'cli.ts')
    // Packages are named only: to bundle them too would take seconds.
    const bundle = await rolldown({ cwd: root, input, platform: 'node', logLevel: 'silent', external: /^(?!\.|\/|\w:)/ })
    const { output } = await bundle.generate({ format: 'esm' })
    await bundle.close()
    const chunks = new Map(output.filter(one => one.type === 'chunk').map(chunk => [chunk.fileName, chunk]))
    const main = [...chunks.values()].find(chunk => chunk.moduleIds.some(id => id.endsWith('/comp/8-cli/src/main.ts')))
    const loaded = [...staticClosure(chunks, main)]
    const packages = loaded.flatMap(chunk => chunk.imports).filter(name => !chunks.has(name) && !name.startsWith('node:'))
    expect(packages).toEqual([])
    const files = loaded.flatMap(chunk => chunk.moduleIds).map(id => id.replace(`${root}/`, ''))
    const modules = files.map(id => id.replace(/^(proj\/comp\/[^/]+).*/, '$1'))
    const components = [...new Set(modules)].filter(id => !id.startsWith('\0')).sort()
    expect(components).toEqual([
      'proj/comp/0-contracts', 'proj/comp/0-text', 'proj/comp/7-output', 'proj/comp/8-cli', 'proj/src/cli.ts',
    ])
    // The names of the formats, which help tells, and nothing of what writes them.
    expect(files.filter(file => /7-output/.test(file) && !/\/(?:report-formats|for-ci|formats\/[a-z]+)\.ts$/.test(file))).toEqual([])
  })
})

/** Packages that are loaded when a verb that needs them runs. */
const HEAVY = ['@vscode/ripgrep', '@vscode/tree-sitter-wasm', 'execa', 're2js', 'typescript']

describe('what tools list loads', () => {
  it('is the files of the verbs, without the heavy packages', async () => {
    const input = join(root, 'proj', 'comp', '5-executor', 'src', 'verbs', 'list.ts')
    const bundle = await rolldown({
      cwd: root, input, platform: 'node', external: [/^node:/, ...HEAVY], logLevel: 'silent',
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    })
    const { output } = await bundle.generate({ format: 'esm' })
    await bundle.close()
    const chunks = new Map(output.filter(one => one.type === 'chunk').map(chunk => [chunk.fileName, chunk]))
    const list = [...chunks.values()].find(({ isEntry }) => isEntry)
    const verbs = list?.dynamicImports.map(name => chunks.get(name)) ?? []
    expect(verbs.length).toBeGreaterThan(30)
    const imports = verbs.flatMap(verb => [...staticClosure(chunks, verb)]).flatMap(chunk => chunk.imports)
    expect(HEAVY.filter(name => imports.includes(name))).toEqual([])
  })
})

function staticClosure(chunks: Map<string, OutputChunk>, start: OutputChunk | undefined): Set<OutputChunk> {
  const seen = new Set<OutputChunk>()
  const visit = (chunk: OutputChunk | undefined): void => {
    if (!chunk || seen.has(chunk)) return
    seen.add(chunk)
    for (const name of chunk.imports) visit(chunks.get(name))
  }
  visit(start)
  return seen
}

describe('the help', () => {
  it('names the toolsets there are', () => {
    const flags = COMMANDS.flatMap(({ flags: all }) => all).filter(({ name }) => name === 'toolset')
    expect(flags).toHaveLength(15)
    for (const { help } of flags) expect(`${help.toLowerCase()};`).toContain(`toolset: ${TOOLSET_NAMES.join(', ')};`)
  })

  it.each(COMMANDS.map((command) => ({ name: command.name, command })))('of $name fits 120 columns', ({ command }) => {
    expect(Math.max(...commandHelp(command).split('\n').map(line => line.length))).toBeLessThanOrEqual(120)
  })

  it.each([80, 60, 40])('fits a screen of %i columns, and breaks no word', (columns) => {
    for (const text of [generalHelp(COMMAND_GROUPS, columns), ...COMMANDS.map((command) => commandHelp(command, columns))]) {
      // A word, or what stands in quotes in an example, may be wider than what is left.
      const wide = text.split('\n').filter((line) => line.length > columns && !/^\s*(?:\S+|'[^']*'|"[^"]*")(?: \\)?$/.test(line))
      expect(wide).toEqual([])
    }
    // An example that goes on in the next row says so as shells read it.
    const words = (text: string): string[] => text.replaceAll(' \\\n', ' ').split(/\s+/)
    for (const command of COMMANDS) expect(words(commandHelp(command, columns))).toEqual(words(commandHelp(command)))
  })

  it('has every command in one group', () => {
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length)
    expect(readdirSync(new URL('../src/commands', import.meta.url))).toHaveLength(COMMANDS.length)
  })
})

const program = useCli()

describe('tools show', () => {
  it.each(VERBS.map(({ name }) => name))('%s: its example is a block that parses to the same values', async name => {
    const verb = await new VerbRegistry(VERBS).load(name)
    for (const example of verb?.examples ?? []) {
      const params = example as Record<string, unknown>
      const asSham = parse(shamBlock('abc', name, params))
      expect(asSham.errors).toEqual([])
      const strings = Object.entries(params).map(([key, value]) => [key, shamText(value)])
      expect(asSham.blocks[0]?.params).toEqual({ action: name, ...Object.fromEntries(strings) as object })

      const { blocks, errors } = parse(exampleCall(verb!, params))
      expect(errors).toEqual([])
      expect(blocks).toMatchObject([verb?.vocabulary === 'clada' ? asSham.blocks[0]! : { action: name, params }])
    }
  })

  it.each(VERBS.map(({ name }) => name))('%s: its example as a SHAM block is converted to its values', async name => {
    const verb = await new VerbRegistry(VERBS).load(name)
    for (const example of verb?.examples ?? []) {
      const { blocks } = parse(shamBlock('abc', name, example as Record<string, unknown>))
      const rules = { relativePaths: true, root: '/', rootAliases: [] }
      const converted = validateCall(verb!, 'sham', blocks[0]?.params, rules)
      expect(converted).toEqual(validateCall(verb!, 'envelope', example, rules))
    }
  })

  it('shows every verb', async () => {
    const cwd = tempDir()
    const list = JSON.parse((await program.run(['tools', 'list', '--json'], { cwd })).stdout) as { name: string }[]
    expect(list.map(({ name }) => name)).toEqual(VERBS.map(({ name }) => name))
    for (const name of ['exec', 'fs.exists', 'read_file']) {
      const { stdout, exitCode } = await program.run(['tools', 'show', name], { cwd })
      expect(exitCode).toBe(0)
      expect(parse(stdout).blocks).toMatchObject([{ action: name }])
    }
  })

  it.each(['idl', 'json-schema', 'openai', 'anthropic', 'mcp', 'yaml'])('prints one document of all as %s', async format => {
    const { stdout, stderr, exitCode } = await program.run(['tools', 'list', '--format', format], { cwd: tempDir() })
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    if (format === 'idl') expect(stdout.match(/^type \w+Result$/gm)?.length).toBeGreaterThanOrEqual(VERBS.length)
    else if (format === 'yaml') expect(stdout.match(/^ {2}[\w.]+:$/gm)).toHaveLength(VERBS.length)
    else expect(Object.keys(JSON.parse(stdout) as object)).toHaveLength(VERBS.length)
  })
})
