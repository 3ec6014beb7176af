import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDirectory, testRepository, useGitEnvironment } from './repository.js'
import { runIn } from './run-verb.js'

beforeAll(useGitEnvironment)

interface Log { data: { commits: { subject: string }[]; truncated?: true } }

async function subjects(root: string, args: object = {}, limits = {}): Promise<string[]> {
  const { data } = await runIn(root, 'git_log', args, limits) as Log
  return data.commits.map(({ subject }) => subject)
}

describe('git_log', () => {
  it('gives what a commit holds', async () => {
    const { root, git, write } = testRepository({ 'a': '1' })
    write({ 'a': '2' })
    git('commit', '--all', '--quiet', '--author=Žofia "Z" Y <z@example.org>', '--message=Ünï subject\n\nBody line\n\n# not a comment\n')
    expect(await runIn(root, 'git_log', { count: 1 })).toEqual({ data: { commits: [{
      hash: git('rev-parse', 'HEAD'), author_name: 'Žofia "Z" Y', author_email: 'z@example.org',
      date: '2025-01-31T12:00:00+01:00', subject: 'Ünï subject', body: 'Body line\n\n# not a comment',
    }] } })
  })

  it('before the first commit is empty', async () => {
    expect(await runIn(testRepository().root, 'git_log')).toEqual({ data: { commits: [] } })
  })

  it('counts, and filters by path and author', async () => {
    const { root, git, write } = testRepository({ 'a': '0', 'b/c': '0' })
    for (let number = 1; number <= 12; number++) {
      write({ [number % 2 === 0 ? 'a' : 'b/c']: String(number) })
      const author = number === 5 ? ['--author=Bob (x) <bob@example.org>'] : []
      git('commit', '--all', '--quiet', `--message=c${number}`, ...author)
    }
    expect(await subjects(root)).toHaveLength(10)
    expect(await subjects(root, { count: 2 })).toEqual(['c12', 'c11'])
    expect(await subjects(root, { path: 'a', count: 2 })).toEqual(['c12', 'c10'])
    expect(await subjects(root, { author: 'BOB (X)' })).toEqual(['c5'])
    expect(await subjects(root, { author: '.*' })).toEqual([])
    expect(await subjects(root, { author: '--all' })).toEqual([])
    expect(await subjects(join(root, 'b'), { count: 1 })).toEqual(['c11'])
    git('rm', '--quiet', 'a')
    git('commit', '--quiet', '--message=gone')
    expect(await subjects(root, { path: 'a', count: 1 })).toEqual(['gone'])
    expect(await runIn(root, 'git_log', { path: 'x' })).toMatchObject({ code: 'ENOENT' })
    expect(await runIn(root, 'git_log', { author: '' })).toMatchObject({ code: 'INVALID_PARAMETER' })
  })

  it('is bounded', async () => {
    const { root, git } = testRepository({ 'a': '0' })
    for (let number = 1; number <= 5; number++) {
      git('commit', '--allow-empty', '--quiet', `--message=c${number}\n\n${'long '.repeat(100)}`)
    }
    expect(await runIn(root, 'git_log', {}, { maxOutputBytes: 1500 })).toMatchObject({ data: { truncated: true } })
    expect(await subjects(root, {}, { maxOutputBytes: 1500 })).toEqual(['c5', 'c4'])
  })

  it('where there is no repository', async () => {
    expect(await runIn(testDirectory().root, 'git_log')).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  })
})
