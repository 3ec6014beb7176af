import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'
import { shamBlock } from '../../../1-registry/src/index.js'

const swap = fileURLToPath(new URL('../../../../../test-data/extensions/swap.py', import.meta.url))
const pointer = fileURLToPath(new URL('../../../../../test-data/extensions/pointer.mjs', import.meta.url))
const cli = useCli()
const server = useModelServer()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A secret by its form. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`

/** The program of an extension whose process notes its start, and what it puts in the place of what. */
type Extension = readonly [program: string, ...pairs: string[]]

/** A directory whose user has these extensions, and a project in it. */
function place(extensions: Readonly<Record<string, Extension>>) {
  const cwd = tempDir()
  const starts = join(cwd, 'starts.txt')
  mkdirSync(join(cwd, '.hermes'))
  mkdirSync(join(cwd, 'project'))
  writeFileSync(starts, '')
  writeFileSync(join(cwd, '.hermes', 'config.yaml'), [
    'extensions:', ...Object.entries(extensions).flatMap(([name, [program, ...pairs]]) => {
      const interpreter = program.endsWith('.py') ? 'python3' : process.execPath
      const args = ['-c', 'echo "$1" >> "$2"; shift 2; exec "$@"', 'sh', name, starts, interpreter, program, ...pairs]
      return [`  ${name}:`, '    command: sh', `    args: ${JSON.stringify(args)}`]
    }), '',
  ].join('\n'))
  const run = (...args: string[]) => cli.run(args, { cwd, env: { HOME: cwd, API_TOKEN: 'hunter2hunter2' } })
  const json = async (...args: string[]): Promise<unknown> => JSON.parse((await run(...args, '--json')).stdout) as unknown
  return { cwd, run, json, starts: () => readFileSync(starts, 'utf8').trim().split('\n') }
}

const FLAGS = ['--root', 'project', '--root-alias', '/w']
const write = (name: string, content: string, root = '/w'): string =>
  `${shamBlock(name, 'file_write', { path: `${root}/${name}.txt`, content })}\n`

describe.skipIf(process.platform === 'win32')('hermes log', () => {
  it('says which extensions changed the answer of a run, in their order, without secrets', async () => {
    const { cwd, run, json } = place({
      pointer: [pointer], key: [swap, 'KEY', 'hunter2hunter2'], shape: [swap, 'TOKEN', TOKEN],
    })
    const original = write('abc', 'KEY TOKEN', '/old')
    writeFileSync(join(cwd, 'answer.md'), original)
    const extended = ['pointer:point', 'key', 'shape'].flatMap((name) => ['--extension', name])
    const applied = await run('apply', 'answer.md', ...FLAGS, ...extended)
    expect({ exitCode: applied.exitCode, stderr: applied.stderr }).toMatchObject({ exitCode: 0 })

    const [logged] = await json('log', '--root', 'project') as { runId: string; rewrites: unknown[] }[]
    const pointed = original.replace('/old', '/w')
    expect(logged?.rewrites).toMatchObject([
      { extension: 'pointer', version: '1.2', command: 'point', before: sha256(original), after: sha256(pointed) },
      { extension: 'key', version: '1.0', command: 'swap', before: sha256(pointed) },
      { extension: 'shape', version: '1.0', command: 'swap' },
    ])
    expect(JSON.stringify(logged)).not.toMatch(/hunter2|ghp_a1/)
    const listed = (await run('log', '--root', 'project')).stdout
    expect(listed).toContain([
      '  rewritten by pointer 1.2 (point): +1 −1', '  rewritten by key 1.0 (swap): +1 −1', '  rewritten by shape 1.0 (swap): +1 −1', '',
    ].join('\n'))
    expect(listed).not.toContain('SHA-256')

    // One run alone, by its id, the beginning of it, and as the last.
    expect(await json('log', logged?.runId ?? '', '--root', 'project')).toEqual([logged])
    for (const name of [logged?.runId.slice(0, -2) ?? '', 'last']) {
      const { stdout } = await run('log', name, '--root', 'project')
      expect(stdout).toContain('    │ -path = "/old/abc.txt"\n    │ +path = "/w/abc.txt"\n')
      expect(stdout).toContain(`    SHA-256 before ${sha256(original)}\n    SHA-256 after  ${sha256(pointed)}\n`)
      expect(stdout).not.toMatch(/hunter2|ghp_a1/)
    }
    expect(await run('log', '1999', '--root', 'project', '--json')).toMatchObject({
      exitCode: 2, stdout: expect.stringContaining('No such run: 1999'),
    })
    expect((await run('log', 'last', '--limit', '3', '--root', 'project')).exitCode).toBe(2)
    // Undo goes by the same journal, and its own run was rewritten by nobody.
    expect((await run('undo', '--root', 'project')).exitCode).toBe(0)
    const [undo] = await json('log', '--root', 'project') as object[]
    expect(undo).toMatchObject({ kind: 'undo' })
    expect(undo).not.toHaveProperty('rewrites')
    expect(await json('log', '--verify', '--root', 'project')).toMatchObject({ success: true })
  })

  it('reads journals of runs that no extension changed as before', async () => {
    const { cwd, run, json } = place({ pointer: [pointer] })
    writeFileSync(join(cwd, 'answer.md'), write('abc', 'x'))
    await run('apply', 'answer.md', ...FLAGS, '--extension', 'pointer:point')
    const log = execFileSync('sh', ['-c', 'cat project/.hermes/journal/*/log.jsonl'], { cwd, encoding: 'utf8' })
    expect(log).not.toContain('rewrites')
    const [run1] = await json('log', '--root', 'project') as object[]
    expect(run1).not.toHaveProperty('rewrites')
  })
})

describe.skipIf(process.platform === 'win32')('apply --record, then replay', () => {
  const EXTENSIONS: Readonly<Record<string, Extension>> = {
    pointer: [pointer], shout: [swap, 'hello', 'HELLO'], more: [swap, '<more>', write('more', 'added')],
    title: [swap, 'HELLO', 'TITLE: HELLO'],
  }
  const ORIGINAL = `${write('one', 'hello', '/old')}\n<more>\n\n${write('two', 'second')}`
  const FILES = { 'more.txt': 'added', 'one.txt': 'HELLO', 'two.txt': 'second' }

  /** What is recorded of an answer that three of them changed: one written in JavaScript, two in Python. */
  async function recorded(...names: string[]) {
    const at = place(EXTENSIONS)
    writeFileSync(join(at.cwd, 'answer.md'), ORIGINAL)
    const outputs = ['--record', 'run.jsonl', '--trajectory', 'said.jsonl']
    const applied = await at.run('apply', 'answer.md', ...FLAGS, ...names.flatMap((name) => ['--extension', name]), ...outputs)
    expect(applied.stderr).not.toContain('error')
    const count = at.starts().length
    /** Replays a file, held against what the workspace is to hold then. */
    const replay = async (file: string, files: Readonly<Record<string, string>>, ...flags: string[]) => {
      const expected = tempDir()
      for (const [name, content] of Object.entries(files)) writeFileSync(join(expected, name), content)
      const { stdout } = await at.run('replay', file, '--json', '--expect', expected, ...flags)
      expect(at.starts()).toHaveLength(count)
      return JSON.parse(stdout) as { treeDifferences: number; counts: Record<string, number>; reports: { rewrites: object[] }[] }
    }
    return { ...at, replay }
  }

  it('takes what ran, what the model wrote, or that without some of them, and starts none', async () => {
    const { cwd, replay } = await recorded('pointer:point', 'shout', 'more')
    const events = values(readFileSync(join(cwd, 'run.jsonl'), 'utf8')) as Record<string, string>[]
    const [first, second] = [ORIGINAL.replace('/old', '/w'), ORIGINAL.replace('/old', '/w').replace('hello', 'HELLO')]
    const ran = second.replace('<more>', write('more', 'added'))
    const answer = events.find(({ type }) => type === 'answer')
    expect(answer).toEqual({ type: 'answer', run: answer?.['run'], text: ran, original: ORIGINAL })
    expect(events.filter(({ type }) => type === 'rewrite')).toMatchObject([
      { extension: 'pointer', before: sha256(ORIGINAL), after: sha256(first), text: first },
      { extension: 'shout', before: sha256(first), after: sha256(second), text: second },
      { extension: 'more', before: sha256(second), after: sha256(ran) },
    ])

    const asRan = await replay('run.jsonl', FILES)
    expect(asRan).toMatchObject({ treeDifferences: 0, counts: { same: 3 } })
    expect(asRan.reports[0]?.rewrites).toMatchObject([
      { turn: 1, extension: 'pointer', version: '1.2' }, { extension: 'shout' }, { extension: 'more', after: sha256(ran) },
    ])
    // The first block is refused where the model wrote it; the second one's result is still its own.
    expect(await replay('run.jsonl', { 'two.txt': 'second' }, '--original')).toMatchObject({
      treeDifferences: 0, counts: { 'same': 1, 'newly failing': 1 },
      reports: [{ rewrites: [{ extension: 'pointer', undone: true }, { undone: true }, { undone: true }] }],
    })
    const { 'more.txt': _, ...without } = FILES
    expect(await replay('run.jsonl', { ...without, 'one.txt': 'hello' }, '--without', 'shout', '--without', 'more:swap'))
      .toMatchObject({ treeDifferences: 0, counts: { same: 2 } })
    expect(await replay('run.jsonl', { ...FILES, 'one.txt': 'hello' }, '--without', 'shout'))
      .toMatchObject({ treeDifferences: 0, counts: { same: 3 }, reports: [{ rewrites: [{}, { extension: 'shout', undone: true }, {}] }] })
    const { 'one.txt': __, ...others } = FILES
    expect(await replay('run.jsonl', others, '--without', 'pointer'))
      .toMatchObject({ treeDifferences: 0, counts: { 'same': 2, 'newly failing': 1 } })
  })

  it('says what cannot be undone, and runs nothing of it', async () => {
    const { cwd, run, replay } = await recorded('pointer:point', 'shout', 'title')
    expect(await replay('run.jsonl', {}, '--without', 'shout')).toMatchObject({
      reports: [{ blocks: [], error: {
        code: 'INVALID_OPTION', message: 'What title (swap) changed cannot be changed without shout: both changed the same lines',
        hint: expect.stringContaining('--without shout --without title'),
      } }],
    })
    expect(await run('replay', 'run.jsonl', '--without', 'shuot')).toMatchObject({
      exitCode: 2, stderr: expect.stringContaining('No answer on record was changed by shuot\n  They were changed by pointer, shout, title.'),
    })
    for (const flags of [['--update', '--original'], ['--update', '--without', 'shout'], ['--original', '--without', 'shout']]) {
      expect(await run('replay', 'run.jsonl', ...flags)).toMatchObject({ exitCode: 2, stdout: '' })
    }
    // A text that is not what its hash is of: what ran can be replayed all the same.
    const recording = readFileSync(join(cwd, 'run.jsonl'), 'utf8')
    writeFileSync(join(cwd, 'changed.jsonl'), recording.replace('"original":"', '"original":"Changed since.\\n'))
    expect(await run('replay', 'changed.jsonl')).toMatchObject({ exitCode: 0 })
    expect(await run('replay', 'changed.jsonl', '--original')).toMatchObject({
      exitCode: 1, stdout: expect.stringContaining('The texts of the answer on record are not those that pointer, shout, title had'),
    })
    // As earlier versions recorded it.
    writeFileSync(join(cwd, 'old.jsonl'), recording.split('\n').filter((line) => !line.startsWith('{"type":"rewrite"')).join('\n'))
    expect(await run('replay', 'old.jsonl')).toMatchObject({ exitCode: 0 })
    expect((await run('replay', 'old.jsonl', '--original')).stdout).toContain('newly failing')
    expect(await run('replay', 'old.jsonl', '--without', 'title')).toMatchObject({
      exitCode: 1, stdout: expect.stringContaining('The record does not hold the text that pointer, shout left'),
    })
  })
})

/** Those of the lines. */
const values = (text: string): unknown[] => text.trim().split('\n').map((line) => JSON.parse(line) as unknown)

describe.skipIf(process.platform === 'win32')('what a record has besides results', () => {
  it('stays where results are rewritten, and extensions of now come after those of then', async () => {
    const at = place({ more: [swap, '<more>', write('more', 'added')], shout: [swap, 'hello', 'HELLO!'] })
    writeFileSync(join(at.cwd, 'answer.md'), `${write('one', 'hello')}\n<more>\n`)
    await at.run('apply', 'answer.md', ...FLAGS, '--extension', 'more', '--record', 'run.jsonl', '--trajectory', 'said.jsonl')
    for (const file of ['run.jsonl', 'said.jsonl']) {
      const path = join(at.cwd, file)
      const before = readFileSync(path, 'utf8')
      // The record says otherwise of the block that the extension added.
      writeFileSync(path, before.replaceAll(/(more\.txt\\*","?|more\.txt\\*",?\\*")bytesWritten(\\*":)5/g, '$1bytesWritten$29'))
      expect(readFileSync(path, 'utf8')).not.toBe(before)
      expect(await at.run('replay', file)).toMatchObject({ exitCode: 1 })
      expect(await at.run('replay', file, '--update')).toMatchObject({ exitCode: 0, stderr: 'Rewrote 1 result in 1 file\n' })
      expect(values(readFileSync(path, 'utf8'))).toEqual(values(before))
      expect(await at.run('replay', file, '--without', 'more')).toMatchObject({ exitCode: 0 })
    }
    expect(at.starts()).toEqual(['more'])
    expect(await at.json('replay', 'run.jsonl', '--original', '--extension', 'shout', '--export', 'again.jsonl')).toMatchObject({
      counts: { changed: 1 },
      reports: [{ rewrites: [{ turn: 1, extension: 'more', undone: true }, { turn: 1, extension: 'shout', version: '1.0', isNew: true }] }],
    })
    expect(at.starts()).toEqual(['more', 'shout'])
    const again = readFileSync(join(at.cwd, 'again.jsonl'), 'utf8')
    expect(JSON.parse(again)).toMatchObject({ hermes: { rewrites: [{ turn: 1, text: expect.stringContaining('HELLO!'), by: [{ extension: 'shout' }] }] } })
    expect(await at.json('replay', 'again.jsonl')).toMatchObject({ counts: { same: 1 } })
    // Both of them, one after the other.
    await at.run('replay', 'run.jsonl', '--extension', 'shout', '--export', 'both.jsonl')
    expect(await at.json('replay', 'both.jsonl', '--without', 'shout')).toMatchObject({ counts: { same: 1, changed: 1 } })
  })
})

describe.skipIf(process.platform === 'win32')('a trajectory', () => {
  it.each(['sharegpt', 'openai', 'responses', 'anthropic', 'vercel'])('has what the model wrote, and replays what ran: %s', async (format) => {
    const at = place({ more: [swap, '<more>', write('more', 'added'), 'hello', 'HELLO'], gone: [swap, write('third', 'x'), ''] })
    const original = `I write it.\n\n${write('one', 'hello')}\n<more>\n\n${write('third', 'x')}\n${write('two', 'ghp_hello')}`
    writeFileSync(join(at.cwd, 'answer.md'), original)
    const outputs = ['--trajectory', 'said.jsonl', '--trajectory-as', format]
    await at.run('apply', 'answer.md', ...FLAGS, '--extension', 'more', '--extension', 'gone', ...outputs)
    const line = readFileSync(join(at.cwd, 'said.jsonl'), 'utf8')
    const { hermes: { rewrites }, ...said } = JSON.parse(line) as { hermes: { rewrites: object[] } }
    // What the model asked for, and what came of it; nothing of what extensions made of it.
    expect(JSON.stringify(said)).not.toMatch(/HELLO|more\.txt/)
    expect(JSON.stringify(said)).toMatch(/I write it[^]*hello[^]*third\.txt[^]*two\.txt[^]*one\.txt[^]*two\.txt/)
    expect(rewrites).toMatchObject([{
      turn: 1, original, by: [{ extension: 'more', version: '1.0', before: sha256(original) }, { extension: 'gone' }],
      text: expect.stringContaining('added'), results: [expect.stringContaining('/w/one.txt'), expect.stringContaining('/w/more.txt'), expect.stringContaining('/w/two.txt')],
    }])
    // What is exported of it is the same again, and so is that of what the model wrote, without the data.
    expect(await at.json('replay', 'said.jsonl', '--export', 'again.jsonl', '--export-as', format))
      .toMatchObject({ counts: { same: 3, unrecorded: 0 } })
    expect(JSON.parse(readFileSync(join(at.cwd, 'again.jsonl'), 'utf8'))).toEqual({ ...said, hermes: expect.objectContaining({ rewrites }) })
    // Undone before the answer is read, of whatever format it came: one of them shows it.
    if (format !== 'sharegpt') return
    expect(await at.json('replay', 'said.jsonl', '--export', 'plain.jsonl', '--export-as', format, '--original'))
      .toMatchObject({ counts: { same: 2, unrecorded: 1 } })
    expect(JSON.parse(readFileSync(join(at.cwd, 'plain.jsonl'), 'utf8'))).not.toHaveProperty('hermes.rewrites')
    expect(await at.json('replay', 'said.jsonl', '--without', 'gone')).toMatchObject({ counts: { same: 3, unrecorded: 1 } })
  })
})

describe.skipIf(process.platform === 'win32')('batch', () => {
  it('keeps what the model wrote, beside it what ran, and counts the answers that an extension changed', async () => {
    const at = place({ here: [swap, '/old/', './'], more: [swap, '<more>', write('more', 'added', '.')] })
    const original = `${write('one', 'hello', '/old')}\n<more>\n\n${write('two', `key ${TOKEN}`, '.')}`
    server.improvise('b', ({ messages }) => say(messages.length === 2 ? original : messages.length === 4 ? write('three', 'x', '.') : 'Done.'))
    writeFileSync(join(at.cwd, 'prompts.jsonl'), '{"prompt":"write"}\n{"prompt":"write again"}\n')
    const { exitCode, stdout } = await cli.run([
      'batch', 'prompts.jsonl', '--out', 'out', '--model', 'b', '--no-git', '--style', 'blocks',
      '--extension', 'here', '--extension', 'more',
    ], { cwd: at.cwd, env: { HOME: at.cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' } })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('  here  changed 2 answers before they ran\n  more  changed 2 answers before they ran\n')
    expect(JSON.parse(readFileSync(join(at.cwd, 'out', 'statistics.json'), 'utf8'))).toMatchObject({ extensions: { here: 2, more: 2 } })
    const lines = values(readFileSync(join(at.cwd, 'out', 'trajectories.jsonl'), 'utf8')) as { conversations: { from: string; value: string }[]; hermes: { rewrites: object[] } }[]
    expect(lines).toHaveLength(2)
    for (const { conversations, hermes } of lines) {
      expect(JSON.stringify([conversations, hermes])).not.toContain(TOKEN)
      const said = conversations.filter(({ from }) => from === 'gpt').map(({ value }) => value)
      expect(said).toEqual([expect.stringContaining('/old/one.txt'), expect.stringContaining('three.txt'), 'Done.'])
      expect(conversations.filter(({ from }) => from === 'tool').map(({ value }) => value.match(/\w+\.txt/g))).toEqual([['one.txt', 'two.txt'], ['three.txt']])
      expect(hermes.rewrites).toMatchObject([{ turn: 1, inexact: true, by: [{ extension: 'here', before: sha256(original) }, { extension: 'more', version: '1.0' }] }])
    }
    const file = join('out', 'trajectories.jsonl')
    expect(await at.json('replay', file, '--relative-paths')).toMatchObject({ counts: { same: 8 } })
    expect(await at.json('replay', file, '--relative-paths', '--without', 'more')).toMatchObject({ counts: { same: 6 } })
    expect(await at.json('replay', file, '--relative-paths', '--original')).toMatchObject({ counts: { 'same': 4, 'newly failing': 2 } })
  })
})
