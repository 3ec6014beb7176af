import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../../test/support/file-tree.js'
import { useOwnGitIdentity } from '../../../../test/support/git-identity.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { HermesEvent } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../src/executor/index.js'

useOwnGitIdentity()

const write = (name: string, content = 'x'): string => (
  `<tool_call>${JSON.stringify({ name: 'write_file', arguments: { path: name, content } })}</tool_call>\n`
)

function repository(): { root: string; git: (...args: string[]) => string } {
  const root = tempDir()
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'start')
  return { root, git }
}

/** Leaves the stream at the end of its first block. */
async function leave(hermes: Hermes, chunks: Iterable<string>): Promise<void> {
  for await (const event of hermes.stream(chunks)) if (event.type === 'block-end') break
}

describe('a stream that is left before its end', () => {
  it('commits what has run, gives the root free, and lets the source go', async () => {
    const { root, git } = repository()
    const told: HermesEvent[] = []
    const seen: string[] = []
    function* chunks(): Generator<string> {
      try {
        yield write('a.txt') + write('b.txt')
        yield write('c.txt')
      } finally {
        seen.push(git('log', '-1', '--format=%s'))
      }
    }
    await leave(new Hermes({ root, onEvent: (event) => told.push(event) }), chunks())
    expect(namesIn(root).filter((name) => !name.startsWith('.'))).toEqual(['a.txt'])
    expect(git('log', '--format=%s')).toBe('AI: write_file a.txt\nstart')
    expect(git('status', '--porcelain')).toBe('')
    // The run owes its commit before a source that may be slow to stop.
    expect(seen).toEqual(['AI: write_file a.txt'])
    expect(told.at(-1)).toMatchObject({
      type: 'end', result: { executedActions: 1, gitCommit: git('rev-parse', 'HEAD'), fatalError: 'The stream was left before its end' },
    })
    expect(await new Hermes({ root }).execute(write('d.txt'))).toMatchObject({ success: true })
  })

  it('has changed nothing with atomic: not all has run', async () => {
    const { root, git } = repository()
    await leave(new Hermes({ root, atomic: true }), [write('a.txt'), write('b.txt')])
    expect(namesIn(root).filter((name) => !name.startsWith('.'))).toEqual([])
    expect(git('log', '--format=%s')).toBe('start')
    expect(await new Hermes({ root }).execute(write('d.txt'))).toMatchObject({ success: true })
  })

  it('runs nothing when left at the start of a block', async () => {
    const root = tempDir()
    for await (const event of new Hermes({ root }).stream([write('a.txt')])) if (event.type === 'block-start') break
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
  })

  it('ends the run too where what is done with an event throws', async () => {
    const { root, git } = repository()
    const act = async (): Promise<void> => {
      for await (const event of new Hermes({ root }).stream([write('a.txt'), write('b.txt')])) {
        if (event.type === 'block-end') throw new Error('mine')
      }
    }
    await expect(act()).rejects.toThrow('mine')
    expect(git('log', '-1', '--format=%s')).toBe('AI: write_file a.txt')
  })
})

describe('atomic', () => {
  it.each<[string, () => Iterable<string>]>([
    ['its source fails', function* source() {
      yield write('a.txt')
      throw new Error('lost')
    }],
    ['a later block fails', () => [write('a.txt'), write('../b.txt')]],
    ['the text is cut off', () => [write('a.txt'), '<tool_call>{"name":']],
  ])('puts everything back when %s', async (_, chunks) => {
    const { root, git } = repository()
    const events: HermesEvent[] = []
    try {
      for await (const event of new Hermes({ root, atomic: true }).stream(chunks())) events.push(event)
    } catch (error) {
      expect(error).toMatchObject({ message: 'lost' })
    }
    expect(events.at(-1)).toMatchObject({ type: 'end', result: { success: false, rolledBack: true } })
    expect(namesIn(root).filter((name) => !name.startsWith('.'))).toEqual([])
    expect(git('log', '--format=%s')).toBe('start')
  })

  it('keeps what a dry run shows in memory only', async () => {
    const root = tempDir()
    const changes: unknown[] = []
    for await (const event of new Hermes({ root, dryRun: true }).stream([write('a.txt'), write('a.txt', 'y')])) {
      if (event.type === 'block-end') changes.push(...event.changes)
    }
    expect(changes).toMatchObject([{ kind: 'create', after: 'x' }, { kind: 'modify', before: 'x', after: 'y' }])
    expect(namesIn(root)).toEqual([])
  })
})

it('edits of one file that came together write it once, one by one they are written one by one, with the same results', async () => {
  const edit = (from: string, to: string): string => (
    `<tool_call>${JSON.stringify({ name: 'edit_replace', arguments: { path: 'f.txt', old_text: `${from}\n`, new_text: `${to}\n` } })}</tool_call>\n`
  )
  const edits = [edit('one', '1'), edit('two', '2'), edit('none', '0'), edit('three', '3')]
  const changesOf = async (chunks: string[]): Promise<{ counts: number[]; results: unknown; text: string }> => {
    const root = tempDir()
    await new Hermes({ root }).execute(write('f.txt', 'one\ntwo\nthree\n'))
    const counts: number[] = []
    const results: unknown[] = []
    for await (const event of new Hermes({ root }).stream(chunks)) {
      if (event.type !== 'block-end') continue
      counts.push(event.changes.length)
      results.push([event.result.success, event.result.code])
    }
    return { counts, results, text: readFileSync(join(root, 'f.txt'), 'utf8') }
  }
  const together = await changesOf([edits.join('')])
  const oneByOne = await changesOf(edits)
  expect(together.text).toBe('1\n2\n3\n')
  expect([together.text, together.results]).toEqual([oneByOne.text, oneByOne.results])
  expect({ together: together.counts, oneByOne: oneByOne.counts }).toEqual({ together: [0, 0, 0, 1], oneByOne: [1, 1, 0, 1] })
})
