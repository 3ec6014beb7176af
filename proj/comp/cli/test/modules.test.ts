import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { useCli } from '../../../test/support/cli.js'
import { parse } from '../../parsers/src/index.js'
import { TOOLSET_NAMES, VerbRegistry } from '../../registry/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
import { COMMANDS } from '../src/commands.js'
import { shamBlock } from '../src/sham-block.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..')

describe('what --version and --help load', () => {
  it('is the command line alone: no verb, no executor, no package', async () => {
    const input = join(root, 'proj', 'src', 'cli.ts')
    const bundle = await rolldown({ cwd: root, input, platform: 'node', logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'esm' })
    await bundle.close()
    const chunks = new Map(output.filter(one => one.type === 'chunk').map(chunk => [chunk.fileName, chunk]))
    const main = [...chunks.values()].find(chunk => chunk.moduleIds.some(id => id.endsWith('/comp/cli/src/main.ts')))
    const modules = [...staticClosure(chunks, main)].flatMap(chunk => chunk.moduleIds)
      .map(id => id.replace(`${root}/`, '').replace(/^(proj\/comp\/[^/]+).*/, '$1'))
    const components = [...new Set(modules)].filter(id => !id.startsWith('\0')).sort()
    expect(components).toEqual(['proj/comp/cli', 'proj/comp/contracts', 'proj/comp/text'])
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
    expect(flags).toHaveLength(2)
    for (const { help } of flags) expect(help).toContain(`toolset: ${TOOLSET_NAMES.join(', ')};`)
  })

  it('fits 120 columns', async () => {
    const cli = COMMANDS.map(({ name }) => name)
    for (const name of cli) {
      const { stdout } = await program.run([name, '--help'], { cwd: tempDir() })
      expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(120)
    }
  })
})

const program = useCli()

describe('tools show', () => {
  it.each(VERBS.map(({ name }) => name))('%s: its example is a block that parses to the same values', async name => {
    const verb = await new VerbRegistry(VERBS).load(name)
    for (const example of verb?.examples ?? []) {
      const params = example as Record<string, unknown>
      const { blocks, errors } = parse(shamBlock('abc', name, params))
      expect(errors).toEqual([])
      const strings = Object.entries(params).map(([key, value]) => (
        [key, typeof value === 'string' ? value : JSON.stringify(value)]
      ))
      expect(blocks[0]?.params).toEqual({ action: name, ...Object.fromEntries(strings) as object })
    }
  })

  it('shows every verb', async () => {
    const cwd = tempDir()
    const list = JSON.parse((await program.run(['tools', 'list', '--json'], { cwd })).stdout) as { name: string }[]
    expect(list.map(({ name }) => name)).toEqual(VERBS.map(({ name }) => name))
    const { stdout, exitCode } = await program.run(['tools', 'show', 'exec'], { cwd })
    expect(exitCode).toBe(0)
    expect(parse(stdout).blocks).toMatchObject([{ action: 'exec' }])
  })
})
