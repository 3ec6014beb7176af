import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { HermesError, MAPPING_NAMES } from '../../0-contracts/src/index.js'
import { loadMapping, SHIPPED, type MappingPlace } from '../src/index.js'
import { shippedHas } from '../src/shipped/index.js'
import { parametersOf } from '../../5-executor/src/verbs/index.js'

const PLACE: MappingPlace = {
  absolute: (path) => (path.startsWith('/') ? path : path === '.' ? '/w' : `/w/${path}`),
  isRoot: (path) => ['.', '/w'].includes(path),
  isDirectory: (path) => path.endsWith('/dir'),
  isUnfinished: (path) => path.endsWith('/unfinished'),
}

const cases = (file: string) => readGoldens(new URL(`../test-data/${file}.cases.md`, import.meta.url))

/** A call a line, `name {arguments}`; what comes of it in the same form. */
function mapAll(mapping: Awaited<ReturnType<typeof loadMapping>>, calls: string): string[] {
  return calls.split('\n').map((line) => {
    const [, name = '', args = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    const mapped = mapping.map(name, JSON.parse(args) as Record<string, unknown>, PLACE)
    if (mapped.kind === 'call') {
      const without = mapped.omitted.length > 0 ? ` without ${mapped.omitted.join(', ')}` : ''
      return `${mapped.verb} ${JSON.stringify(mapped.arguments)}${without}`
    }
    return 'reason' in mapped ? `${mapped.kind}: ${mapped.reason}` : mapped.kind
  })
}

describe('what a mapping makes of calls', () => {
  it.each(cases('calls'))('$group: $name', async ({ group, fences }) => {
    const [yaml, calls, expected] = group === 'shipped' ? [undefined, ...fences] : fences
    const file = join(tempDir(), 'm.yaml')
    if (yaml) writeFileSync(file, yaml.body)
    const name = yaml ? file : cases('calls').find((one) => one.fences === fences)?.name ?? fences[0]?.info.split(' ')[1] ?? ''
    const mapping = await loadMapping([name], parametersOf)
    expect(mapAll(mapping, calls?.body ?? '')).toEqual(expected?.body.split('\n'))
  })

  it.each(Object.keys(SHIPPED))('%s fits the verbs there are', async (name) => {
    const mapping = await loadMapping([name], parametersOf)
    expect(mapping.names.length).toBeGreaterThan(0)
  })

  it.each(MAPPING_NAMES)('%s says by its text which tools it has', async (name) => {
    const { names } = await loadMapping([name], parametersOf)
    expect(names.filter((tool) => !shippedHas(name, tool))).toEqual([])
    expect(['tools', 'when', 'no_such_tool', 'constructor'].filter((tool) => shippedHas(name, tool))).toEqual([])
  })

  it('of what is in force unasked nothing takes a call of a verb away', async () => {
    const { names } = await loadMapping(['common'], parametersOf)
    const verbs = await Promise.all(names.map(async (name) => [name, await parametersOf(name)] as const))
    expect(verbs.filter(([, parameters]) => parameters).map(([name]) => name)).toEqual(['apply_patch'])
  })
})

describe('a mapping that is wrong', () => {
  it.each(cases('errors'))('$name', async ({ fences }) => {
    const directory = tempDir()
    const files = fences.filter(({ info }) => info.startsWith('yaml'))
    for (const { info, body } of files) writeFileSync(join(directory, info.split(' ')[1] ?? 'm.yaml'), body)
    const error: unknown = await loadMapping([join(directory, 'm.yaml')], parametersOf).catch((thrown: unknown) => thrown)
    if (!(error instanceof HermesError)) throw error
    expect(error.code).toBe('INVALID_MAPPING')
    const lines = [error.message, ...(error.hint ?? '').split('\n').slice(1)].map((line) => line.replaceAll(`${directory}/`, ''))
    expect(lines).toEqual(fences.at(-1)?.body.split('\n'))
  })

  it('is not there', async () => {
    await expect(loadMapping(['claude-cod'], parametersOf)).rejects.toMatchObject({
      code: 'INVALID_MAPPING', message: 'There is no mapping claude-cod', hint: expect.stringContaining('Did you mean claude-code?'),
    })
  })
})

describe('results', () => {
  it('are unwrapped, judged and compared as texts', async () => {
    const mapping = await loadMapping(['codex', 'anthropic'], parametersOf)
    const shell = mapping.map('shell', { command: ['bash', '-lc', 'ls'] }, PLACE)
    const edit = mapping.map('str_replace_editor', { command: 'str_replace', path: '/a', old_str: 'x' }, PLACE)
    if (shell.kind !== 'call' || edit.kind !== 'call') throw new Error('not mapped')
    expect(shell.result.unwrap('{"output":"a\\n","metadata":{"exit_code":0}}')).toBe('a\n')
    expect(shell.result.unwrap('Exit code: 0\nWall time: 0.1 seconds\nOutput:\na\n')).toBe('a\n')
    expect(shell.result.unwrap('no such mark')).toBe('no such mark')
    const bash = (await loadMapping(['common'], parametersOf)).map('bash', { command: 'ls' }, PLACE)
    if (bash.kind !== 'call') throw new Error('not mapped')
    expect(bash.result.unwrap('a\n(Open file: n/a)\n(Current directory: /w)\nbash-$')).toBe('a\n')
    expect(bash.result.unwrap('a\n')).toBe('a\n')
    expect(shell.result.textOf({ stdout: 'a\n', stderr: 'b\n', exit_code: 0 })).toBe('a\nb\n')
    expect(shell.result.failed('anything')).toBeUndefined()
    expect(edit.result.textOf({ path: '/a' })).toBeUndefined()
    expect([edit.result.failed('The file /a has been edited.'), edit.result.failed('No replacement was performed, …')]).toEqual([false, true])
  })

  it('of commands whose exit code answers are told by their last program', async () => {
    const bash = (await loadMapping(['claude-code'], parametersOf)).map('Bash', { command: 'ls' }, PLACE)
    if (bash.kind !== 'call') throw new Error('not mapped')
    const lines = ['grep x f', 'cd src && LC_ALL=C rg -n x | grep -v y', '[ -f a ]', 'diff a b;', 'grep x f | sort', 'egrepper x', '', 'a=1']
    expect(lines.map((line) => bash.result.answersByCode(line))).toEqual([true, true, true, true, false, false, false, false])
  })
})
