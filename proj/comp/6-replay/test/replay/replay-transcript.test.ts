import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { loadMapping } from '../../../2-mapping/src/index.js'
import type { RecordedResult, Transcript } from '../../../2-transcripts/src/index.js'
import { readTranscriptFile, recordedOutcome } from '../../../2-transcripts/src/index.js'
import { parametersOf } from '../../../5-executor/src/verbs/index.js'
import { forName } from '../../src/replay/for-name.js'
import { renderReplay, replayTranscript, unrunReport, updateRecords, type Replayed } from '../../src/replay/index.js'
import { add, emptyReport } from '../../src/replay/replay.js'
import { openWorkspace } from '../../src/replay/workspace.js'

const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
const ok = (data: unknown): RecordedResult => recordedOutcome({ success: true, data })

/** A transcript of one answer, replayed with commands outside of a sandbox. */
async function replayed(text: string, results: RecordedResult[], more: Partial<Transcript> = {}, files: Record<string, string> = {}): Promise<Replayed> {
  const directory = tempDir()
  mkdirSync(join(directory, 'w'))
  writeTree(directory, Object.fromEntries(Object.entries({ keep: '', ...files }).map(([path, content]) => [`f/${path}`, content])))
  const turns: Transcript['turns'] = [{ role: 'assistant', reasoning: '', text, calls: [] }, { role: 'results', results }]
  return replayTranscript({ file: 't', line: 1, name: 't', format: 'sharegpt', turns, ...more }, {
    workspace: { kind: 'fixture', directory: join(directory, 'f') }, directory: join(directory, 'w'),
    mapping: await loadMapping(['common'], parametersOf), execution: { sandbox: 'none', policy: false, gitCommit: false },
    keepResults: true, signal: new AbortController().signal,
  })
}
const outcomes = ({ results = [] }: Replayed): string[] => results.flat().map(({ outcome }) => outcome)

describe('replayTranscript', () => {
  it('keeps the calls of one line apart', async () => {
    const read = (path: string): string => call('fs.readFile', { path })
    const { report, ...rest } = await replayed(
      `${call('frobnicate', {})}${call('bash', { command: 'cat a' })}${read('b')}<tool_call>{"name": </tool_call>${read('a')}${call('think', {})}`,
      [{ text: '' }, { text: 'A' }, ok({ content: 'B' }), recordedOutcome({ success: false, code: 'X', error: 'y' }), ok({ content: 'A' })], {}, { a: 'A', b: 'B' },
    )
    expect(outcomes({ report, ...rest })).toEqual(['unmapped', 'same', 'same', 'changed', 'same', 'skipped'])
    expect(report.blocks.map(({ seq, name }) => [seq, name])).toEqual([[1, 'frobnicate'], [4, ''], [6, 'think']])
  })

  it('leaves out what the service of the model has run, and its result', async () => {
    const calls = [{ id: 's', name: 'web_search_call', arguments: {}, byService: true as const }, { name: 'fs.lineCount', arguments: { path: 'a' } }]
    const { report } = await replayed('', [], { turns: [
      { role: 'assistant', reasoning: '', text: '', calls }, { role: 'results', results: [ok({ lineCount: 1 })] },
    ] }, { a: 'A\n' })
    expect(report.counts).toMatchObject({ skipped: 1, same: 1, unmapped: 0 })
  })

  it('reads the calls of a history in its dialect, with the tools of its harness', async () => {
    const settings = { editFormats: ['cline'], mapping: 'cline' } as const
    const write = '<write_to_file>\n<path>n.txt</path>\n<content>\none\n</content>\n</write_to_file>'
    const { report, results = [] } = await replayed(`I write.\n\n${write}`, [{ text: 'Saved.' }], { format: 'cline', settings })
    expect([report.counts, outcomes({ report, results })]).toMatchObject([{ unmapped: 0 }, ['unrecorded']])
    expect(results[0]?.[0]?.result?.outcome).toMatchObject({ success: true })
  })

  it('runs commands that name the recorded root in the workspace', async () => {
    const run = (command: string): string => call('bash', { command })
    const { results = [] } = await replayed([
      run('cd /home/nobody/p && cat a'), run('cat "/home/nobody/p/a" /home/nobody/p2 2>&1'), run('echo x/home/nobody/p "$HOME"/home/nobody/p'),
    ].join('\n'), [{ text: 'A' }], { root: '/home/nobody/p' }, { a: 'A' })
    const texts = results.flat().map(({ result }) => result?.text)
    expect(texts[0]).toBe('A')
    expect(texts[1]).toMatch(/^A.*\/home\/nobody\/p2/)
    expect(texts[2]).toContain('x/home/nobody/p ')
  })

  it('knows the names that function calling has of verbs', async () => {
    expect(outcomes(await replayed(call('fs_lineCount', { path: 'a' }), [ok({ lineCount: 1 })], {}, { a: 'A\n' }))).toEqual(['same'])
  })

  it('leaves out what the sandbox holds only of listings', async () => {
    const run = (command: string): string => call('bash', { command })
    const { report } = await replayed([run('echo a; echo .git'), run('printf "total 5\\n"')].join('\n'), [{ text: 'a' }, { text: 'total 4' }])
    expect(report.counts.changed).toBe(2)
  })

  it('runs with the settings that the recording says', async () => {
    const write = call('fs.writeFile', { path: 'n', content: 'x' })
    const { report } = await replayed(write, [ok({})], { settings: { toolsets: ['read-only'] } })
    expect(report.blocks[0]?.actual).toContain('POLICY_DENIED')
    const thinking = await replayed(`${write}</think>`, [], { settings: { startsInThink: true } })
    expect(outcomes(thinking)).toEqual([])
  })

  it('tells of a command that fails now and printed the same, and makes that the record', async () => {
    const file = join(tempDir(), 't.json')
    const record = { messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'echo a; exit 1' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'a', is_error: false }] },
    ] }
    writeFileSync(file, JSON.stringify(record))
    const again = async (): Promise<string[]> => {
      const { value: item } = await readTranscriptFile(file).next()
      if (!item || !('transcript' in item)) throw new Error('not read')
      const { transcript } = item
      const { results = [], ...rest } = await replayed('', [], transcript)
      await updateRecords([{ transcript, results }])
      return outcomes({ results, ...rest })
    }
    expect([await again(), await again()]).toEqual([['newly failing'], ['same']])
    expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(record).replace('"is_error":false', '"is_error":true').replace('"content":"a"', '"content":"a\\n"'))
  })

  it('has work trees of one repository added and removed at once', async () => {
    const repository = tempDir()
    const git = (...args: string[]): string => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repository, encoding: 'utf8' })
    writeTree(repository, { a: 'A' })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'one')
    await Promise.all(Array.from({ length: 16 }, async () => {
      const { remove } = await openWorkspace({ kind: 'git', repository, ref: 'HEAD' }, new AbortController().signal, tempDir())
      await remove()
    }))
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('removes a workspace whose paths are too long, with what a repository keeps of it', async () => {
    const repository = tempDir()
    const git = (...args: string[]): string => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repository, encoding: 'utf8' })
    git('init', '-q')
    git('commit', '-qm', 'one', '--allow-empty')
    const directory = tempDir()
    const { root, remove } = await openWorkspace({ kind: 'git', repository, ref: 'HEAD' }, new AbortController().signal, directory)
    const deep = "const n = 'x'.repeat(200); for (let i = 0; i < 3000; i++) { fs.mkdirSync(n); process.chdir(n) }; fs.chmodSync('../..', 0o500)"
    execFileSync(process.execPath, ['-e', deep], { cwd: root })
    mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]))
    expect(await remove()).toBeUndefined()
    expect(readdirSync(directory)).toEqual([])
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('tells why a workspace could not be removed, and compares as if it had been', async () => {
    const directory = tempDir()
    mkdirSync(join(directory, 'w'))
    const { remove } = await openWorkspace({ kind: 'empty' }, new AbortController().signal, join(directory, 'w'))
    renameSync(join(directory, 'w'), join(directory, 'moved'))
    writeFileSync(join(directory, 'w'), '')
    const note = await remove()
    expect(note).toMatch(/^The workspace \S+ could not be removed \(ENOTDIR\)$/)
    const { report } = await replayed(call('exec', { lang: 'bash', code: 'true' }), [])
    const total = emptyReport()
    add(total, { ...report, blocks: [], drifted: false, ...(note !== undefined && { note }) })
    expect(total.drifted).toBe(0)
    expect(await renderReplay(total, { colour: false })).toContain(`–  t: ${note}\n`)
  })

  it('takes a name with dollar signs as it is', () => {
    expect(forName('f/{name}/x', "a$&$'.json")).toBe("f/a$&$'/x")
  })

  it('tells of so many paths at a terminal, and how many more there are', async () => {
    const tree = Array.from({ length: 60 }, (_, index) => ({ path: `p${index}`, kind: 'unexpected' as const }))
    const told = { ...unrunReport({ file: 't', line: 1, name: 't', format: 'sharegpt', turns: [] }, { code: 'X', message: 'x', hint: undefined }).report, tree }
    const total = emptyReport()
    add(total, told)
    const text = await renderReplay(total, { colour: false })
    expect(text.split('\n').filter((line) => line.includes('unexpected p'))).toHaveLength(50)
    expect(text).toContain('    and 10 more paths that are not as expected\n')
  })
})
