import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needing } from '../../../../../test/support/needs.js'
import { useSshPlace } from '../../../../../test/support/ssh-place.js'
import type { HermesOptions } from '../../../../0-contracts/src/index.js'
import { Hermes } from '../../../src/index.js'

needing('ssh').describe('a session on another host, by ssh,', () => {
  const place = useSshPlace()
  const { there } = place

  function open(options: HermesOptions = {}): Hermes {
    return new Hermes({ root: join(place.local, 'root'), relativePaths: true, approve: () => 'once' as const, ...options })
  }

  /** Calls in a row, as one run. */
  async function call(hermes: Hermes, ...calls: [name: string, args: Record<string, unknown>][]) {
    const { results, fatalError, warnings } = await hermes.call(calls.map(([name, args], n) => ({ id: String(n), name, arguments: args })))
    expect([fatalError, warnings]).toEqual([undefined, undefined])
    return results
  }

  it('reads, writes, edits, moves, lists, searches and runs commands in one place, and touches nothing here', async () => {
    await using hermes = open()
    const before = place.localState()
    const results = await call(hermes,
      ['write_file', { path: 'a.txt', content: 'one\r\ntwo\r\n' }],
      ['write_file', { path: 'src/deep/b.ts', content: 'export const b = 1\n', create_directories: true }],
      ['edit_replace', { path: 'a.txt', old_text: 'two', new_text: 'zwei' }],
      ['read_file', { path: there('a.txt') }],
      ['exec', { lang: 'bash', code: 'pwd; od -An -c a.txt; echo "made here" > made.txt' }],
      ['exec', { lang: 'bash', code: 'pwd', cwd: 'src/deep' }],
      ['search_files', { path: '.', query: 'made here' }],
      ['grep', { path: '.', pattern: 'const b' }],
      ['glob', { base_path: '.', pattern: '**/*.ts' }],
      ['ls', { path: 'src' }],
      ['apply_patch', { patch: '*** Begin Patch\n*** Update File: made.txt\n@@\n-made here\n+patched\n*** Add File: new.txt\n+new\n*** End Patch\n' }],
      ['symbol_replace', { path: 'src/deep/b.ts', symbol: 'b', new_text: 'export const b = 2' }],
      ['move_file', { source: 'src/deep/b.ts', destination: 'c.ts' }],
      ['fs.copyFile', { sourcePath: 'c.ts', destinationPath: 'd.ts' }],
      ['delete_file', { path: 'new.txt', confirm: true }],
      ['fs.deleteDirectory', { path: 'src' }],
    )
    expect(results.filter(({ success }) => !success)).toEqual([])
    const data = results.map((result) => result.data as Record<string, unknown>)
    expect(data[3]).toMatchObject({ content: 'one\r\nzwei\r\n' })
    expect(data[4]?.['stdout']).toContain(`${place.server.directory}\n`)
    expect(data[4]?.['stdout']).toContain(String.raw`z   w   e   i  \r  \n`)
    expect(data[5]?.['stdout']).toBe(`${there('src/deep')}\n`)
    expect(JSON.stringify(data[6])).toContain('made.txt')
    expect(JSON.stringify(data[7])).toContain('b.ts')
    expect(JSON.stringify(data[8])).toContain('src/deep/b.ts')
    expect(readdirSync(place.server.directory).sort()).toEqual(['a.txt', 'c.ts', 'd.ts', 'made.txt'])
    expect(readFileSync(there('made.txt'), 'utf8')).toBe('patched\n')
    expect(readFileSync(there('d.ts'), 'utf8')).toBe('export const b = 2\n')
    expect(place.localState()).toBe(before)
  })

  it('refuses by name what works on this machine only, and offers none of it', async () => {
    await using hermes = open()
    const refused: [string, Record<string, unknown>][] = [
      ['git_status', {}], ['git_log', {}], ['git_commit', { message: 'x' }], ['find_symbol', { symbol: 'b', search_path: '.' }],
      ['symbol_outline', { path: '.' }], ['semantic_search', { query: 'x' }], ['proc.run', { executable: 'pwd', arguments: [] }],
      ['sys.machineInfo', {}],
    ]
    const results = await call(hermes, ...refused)
    expect(results.map(({ action, code, error, hint }) => [action, code, error?.includes('works on this machine only'), hint !== undefined]))
      .toEqual(refused.map(([name]) => [name, 'POLICY_DENIED', true, true]))
    const offered = (await hermes.verbs()).map(({ name }) => name)
    expect(offered.filter((name) => refused.some(([one]) => one === name))).toEqual([])
    expect(offered).toContain('read_file')
  })

  it('keeps to the directory there, whatever links say', async () => {
    writeFileSync(join(place.local, 'secret'), 's')
    symlinkSync(place.local, there('out'))
    await using hermes = open()
    const results = await call(hermes,
      ['read_file', { path: 'out/secret' }], ['write_file', { path: 'out/new', content: '' }],
      ['read_file', { path: join(place.local, 'root', 'a.txt') }], ['exec', { lang: 'bash', code: 'pwd', cwd: 'out' }],
      ['write_file', { path: '.git/config', content: '' }])
    expect(results.map(({ code }) => code)).toEqual(Array(5).fill('POLICY_DENIED'))
    expect(existsSync(join(place.local, 'new'))).toBe(false)
  })

  it('tells the model where it is, and the notes of that place, not of this one', async () => {
    writeFileSync(there('AGENTS.md'), 'Notes of the host.\n')
    await using hermes = open()
    const text = await hermes.surroundings()
    expect(text).toContain(`You work on the host ${place.server.user}@127.0.0.1, by ssh: all files and all commands are there.`)
    expect(text).toContain(`The project is ${place.server.directory}; relative paths start there.`)
    expect(text).toContain('Notes of the host.')
    expect(text).not.toContain('of this machine')
    expect(text).not.toContain(place.local)
    expect(text).not.toMatch(/Git is|sandbox: they/)
  })

  it('keeps a file in view as it is there', async () => {
    await using hermes = open()
    await call(hermes, ['write_file', { path: 'view.txt', content: 'in view' }], ['context_add', { path: 'view.txt' }])
    expect((await hermes.contextPrompt()).text).toContain('in view')
  })

  it('overwrites no change of somebody else that it has not seen, but what its own commands changed', async () => {
    await using hermes = open()
    await call(hermes, ['write_file', { path: 'x', content: 'one' }])
    writeFileSync(there('x'), 'of the user')
    expect(await call(hermes, ['write_file', { path: 'x', content: 'two' }])).toMatchObject([{ code: 'CHANGED_ON_DISK' }])
    const results = await call(hermes,
      ['read_file', { path: 'x' }], ['write_file', { path: 'x', content: 'two' }], ['exec', { lang: 'bash', code: 'echo more >> x' }],
      ['write_file', { path: 'x', content: 'three' }])
    expect(results.map(({ code }) => code)).toEqual(Array(4).fill(undefined))
    expect(readFileSync(there('x'), 'utf8')).toBe('three')
  })

  it('runs nothing where the host is not reached, nor what only this machine can do', async () => {
    const run = async (options: HermesOptions) => {
      await using hermes = open(options)
      return hermes.call([{ id: '1', name: 'write_file', arguments: { path: 'x', content: '' } }])
    }
    for (const options of [{ dryRun: true }, { atomic: true }, { gitCommit: true }, { allow: [join(place.local, 'other')] }] satisfies HermesOptions[]) {
      expect((await run(options)).fatalError, JSON.stringify(options)).toContain('on another host (terminal.backend: ssh)')
    }
    process.env['TERMINAL_SSH_PORT'] = '1'
    const { fatalError, results } = await run({})
    process.env['TERMINAL_SSH_PORT'] = String(place.server.port)
    expect(fatalError).toContain('cannot be reached: ssh: connect to host 127.0.0.1 port 1: Connection refused')
    expect(results[0]).toMatchObject({ success: false, code: 'UNREACHABLE', error: `Not started: ${fatalError}`, hint: expect.stringContaining('ssh ') as string })
    expect([existsSync(there('x')), existsSync(join(place.local, 'root', 'x'))]).toEqual([false, false])
  })

  it('goes on in the next run after the connection was lost', async () => {
    await using hermes = open()
    await call(hermes, ['write_file', { path: 'x', content: 'old' }])
    execFileSync('pkill', ['-KILL', '-P', String(place.server.pid)])
    const lost = await hermes.call([{ id: '1', name: 'write_file', arguments: { path: 'x', content: 'new' } }])
    expect(lost.results[0]).toMatchObject({ success: false, code: 'UNREACHABLE' })
    expect(readFileSync(there('x'), 'utf8')).toBe('old')
    const both = await Promise.all(['x', 'y'].map((path) => call(hermes, ['write_file', { path, content: 'new' }])))
    expect(both.flat().map(({ success }) => success)).toEqual([true, true])
    expect([readFileSync(there('x'), 'utf8'), statSync(there('x')).size]).toEqual(['new', 3])
  })
})
