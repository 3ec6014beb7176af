import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { squash } from '../../src/history/index.js'
import type { SquashRequest } from '../../src/history/squash-options.js'
import { Sandbox } from './sandbox.js'

function run(sandbox: Sandbox, request: SquashRequest) {
  return squash(sandbox.options, request)
}

/** Newest first. */
function subjects(sandbox: Sandbox): string[] {
  return sandbox.git('log', '--format=%s').split('\n')
}

function daysAgo(days: number): Record<string, string> {
  const date = `${Math.round(Date.now() / 1000 - days * 86_400)} +0000`
  return { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date }
}

/** A bare repository that `main` is pushed to. */
function push(sandbox: Sandbox): void {
  const remote = tempDir()
  sandbox.git('init', '--quiet', '--bare', remote)
  sandbox.git('remote', 'add', 'origin', remote)
  sandbox.git('push', '--quiet', 'origin', 'main')
}

describe('auto_ai', () => {
  it('makes one commit of the run that hermes made last, and keeps the rest and the old head', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    sandbox.commit('AI: old', { 'a': '2' })
    const base = sandbox.commit('mine', { 'b': '1' })
    const env = { GIT_AUTHOR_NAME: 'É "x" y', GIT_AUTHOR_DATE: '1700000000 +0530' }
    const one = sandbox.commit('AI: file_write a\n\nok\n\nHermes-Run: r1', { 'a': '3' }, env)
    const two = sandbox.commit('by hermes too\n\nHermes-Run: r2', { 'a': '4' })
    const head = sandbox.commit('AI: before file_write é', { 'c': 'c' })
    sandbox.put({ 'a': 'dirty', 'new': 'n', 'b': 'staged' })
    sandbox.git('add', 'b')
    const { index, files } = sandbox.snapshot() as { index: string; files: object }

    const outcome = await run(sandbox, { mode: 'auto_ai' })
    const to = sandbox.head()
    expect(outcome).toEqual({
      success: true, from: head, to,
      kept_ref: expect.stringMatching(/^refs\/hermes\/squash\/\d{8}T\d{6}\.\d{3}Z$/) as unknown,
      squashed: [{ commit: to, subject: 'AI: file_write a (+2 commits)', replaces: [one, two, head] }],
      undo: `git reset --soft ${outcome.kept_ref}`,
    })
    expect(sandbox.git('rev-parse', 'HEAD^1')).toBe(base)
    expect(sandbox.git('rev-parse', 'HEAD^{tree}')).toBe(sandbox.git('rev-parse', `${head}^{tree}`))
    expect(sandbox.git('log', '-1', '--format=%an|%ad|%cn', '--date=raw')).toBe('É "x" y|1700000000 +0530|c')
    expect(sandbox.git('log', '-1', '--format=%b')).toBe(
      '* AI: file_write a\n* by hermes too\n* AI: before file_write é\n\nHermes-Run: r1\nHermes-Run: r2',
    )
    expect(sandbox.snapshot()).toMatchObject({ index, files })
    expect(sandbox.git('rev-parse', outcome.kept_ref)).toBe(head)
    expect(sandbox.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('main')
    expect(sandbox.git('fsck', '--strict')).toBe('')

    sandbox.git(...outcome.undo.split(' ').slice(1))
    expect(sandbox.head()).toBe(head)
    expect(sandbox.snapshot()).toMatchObject({ index, files })
  })

  it('squashes its own result again', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2]) sandbox.commit(`x ${at}\n\nHermes-Run: r${at}`, { 'a': `v${at}` })
    await run(sandbox, { mode: 'auto_ai' })
    sandbox.commit('AI: y', { 'a': 'y' })
    expect((await run(sandbox, { mode: 'auto_ai' })).squashed).toHaveLength(1)
    expect(subjects(sandbox)).toEqual(['x 1 (+2 commits)', 'commit 1'])
  })
})

it('a message of the user keeps the ids of the runs: the commit still counts as theirs', async () => {
  const sandbox = Sandbox.of({ 'a': '1' })
  for (const at of [1, 2]) sandbox.commit(`AI: x\n\nHermes-Run: r${at}`, { 'a': `v${at}` })
  await run(sandbox, { mode: 'auto_ai', message: 'fix: mine\n' })
  expect(sandbox.git('log', '-1', '--format=%B')).toBe('fix: mine\n\nHermes-Run: r1\nHermes-Run: r2')
  sandbox.commit('AI: y', { 'a': 'y' })
  await run(sandbox, { mode: 'auto_ai', message: 'mine\n\nSigned-off-by: me <m@e>' })
  expect(sandbox.git('log', '-1', '--format=%(trailers)')).toBe('Signed-off-by: me <m@e>\nHermes-Run: r1\nHermes-Run: r2')
})

describe('the other modes', () => {
  it('ai_messages goes by the subject alone', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const subject of ['one\n\nHermes-Run: r1', 'AI: two', 'AI: three']) sandbox.commit(subject)
    await run(sandbox, { mode: 'ai_messages', message: 'Both\n\nwith a body' })
    expect(subjects(sandbox)).toEqual(['Both', 'one', 'commit 1'])
    expect(sandbox.git('log', '-1', '--format=%B')).toBe('Both\n\nwith a body')
  })

  it.each([
    ['hours', { mode: 'hours', hours: 36 }, 2], ['days', { mode: 'days', days: 3 }, 3],
  ] as const)('%s go by the committer date', async (_, request, count) => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const [at, age] of [9, 4, 2, 1, 0].entries()) sandbox.commit(`c${at}`, {}, daysAgo(age))
    const { squashed } = await run(sandbox, request)
    expect(squashed.map(({ replaces }) => replaces.length)).toEqual([count])
  })

  it('msg_contains looks in the whole message, and case counts', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const subject of ['wip', 'WIP: a', 'b\n\nstill WIP: so', 'WIP: c']) sandbox.commit(subject)
    await run(sandbox, { mode: 'msg_contains', msg_target: 'WIP: ' })
    expect(subjects(sandbox)).toEqual(['WIP: a (+2 commits)', 'wip', 'commit 1'])
  })

  it('contiguous_only false squashes every group, and keeps the others as they are', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    sandbox.commit('AI: 1', { 'a': '2' })
    sandbox.commit('AI: 2', { 'b': '1' })
    const env = { ...daysAgo(5), GIT_COMMITTER_NAME: 'someone' }
    sandbox.commit('mine\n\n  indented body \n\n# not a comment', { 'c': '1' }, env)
    const mine = sandbox.git('log', '-1', '--format=%an%ae%ad%cn%ce%cd%B')
    sandbox.commit('AI: alone', { 'c': '2' })
    sandbox.commit('mine too', { 'd': '1' })
    sandbox.commit('AI: 3', { 'a': '3' })
    sandbox.commit('AI: 4', { 'b': null })
    sandbox.commit('last', { 'e': '1' })
    const head = sandbox.head()
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toMatchObject({
      code: 'NOTHING_TO_SQUASH',
      message: 'squash: nothing to squash: 5 commits would be squashed, but they do not follow one another up to HEAD',
    })
    const { squashed } = await run(sandbox, { mode: 'auto_ai', contiguous_only: false })
    expect(squashed.map(({ subject }) => subject)).toEqual(['AI: 3 (+1 commit)', 'AI: 1 (+1 commit)'])
    expect(subjects(sandbox)).toEqual([
      'last', 'AI: 3 (+1 commit)', 'mine too', 'AI: alone', 'mine', 'AI: 1 (+1 commit)', 'commit 1',
    ])
    expect(sandbox.git('log', '-1', '--format=%an%ae%ad%cn%ce%cd%B', 'HEAD~4')).toBe(mine)
    expect(sandbox.git('rev-parse', 'HEAD^{tree}')).toBe(sandbox.git('rev-parse', `${head}^{tree}`))
    expect(sandbox.git('status', '--porcelain')).toBe('')
  })

  it('may reach the first commit of all', async () => {
    const sandbox = new Sandbox()
    for (const at of [1, 2, 3]) sandbox.commit(`AI: ${at}`, { 'a': `${at}` })
    await run(sandbox, { mode: 'auto_ai' })
    expect(subjects(sandbox)).toEqual(['AI: 1 (+2 commits)'])
  })
})

describe('what is never rewritten', () => {
  it('commits that a remote branch has', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2]) sandbox.commit(`AI: ${at}`, { 'a': `x${at}` })
    push(sandbox)
    const pushed = sandbox.head()
    const none = 'nothing to squash: the last commit is pushed, or a merge'
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toThrow(none)
    sandbox.commit('AI: 3', { 'a': 'x3' })
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toThrow('of 1 unpushed commit, 1 would be squashed')
    sandbox.commit('AI: 4', { 'a': 'x4' })
    await run(sandbox, { mode: 'auto_ai' })
    expect(sandbox.git('rev-parse', 'HEAD^1')).toBe(pushed)
    expect(sandbox.git('rev-list', '--count', 'HEAD')).toBe('4')
    sandbox.git('push', '--quiet', 'origin', 'main')
    expect(sandbox.git('ls-remote', 'origin').split('\n').map(line => line.split('\t')[1])).toEqual(['refs/heads/main'])
  })

  it('commits that were pushed as another branch', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2, 3, 4]) sandbox.commit(`AI: ${at}`)
    const remote = tempDir()
    sandbox.git('init', '--quiet', '--bare', remote)
    sandbox.git('remote', 'add', 'elsewhere', remote)
    sandbox.git('push', '--quiet', 'elsewhere', 'HEAD~2:refs/heads/topic')
    await run(sandbox, { mode: 'auto_ai' })
    expect(subjects(sandbox)).toEqual(['AI: 3 (+1 commit)', 'AI: 2', 'AI: 1', 'commit 1'])
  })

  it('merges, and what is older', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    sandbox.commit('AI: 1')
    sandbox.git('switch', '--quiet', '-c', 'side')
    sandbox.commit('AI: side', { 's': 's' })
    sandbox.git('switch', '--quiet', 'main')
    sandbox.git('merge', '--quiet', '--no-ff', '-m', 'AI: merge', 'side')
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toMatchObject({ code: 'NOTHING_TO_SQUASH' })
    for (const at of [2, 3]) sandbox.commit(`AI: ${at}`)
    await run(sandbox, { mode: 'auto_ai' })
    expect(sandbox.git('log', '--format=%s', '--first-parent').split('\n')).toEqual([
      'AI: 2 (+1 commit)', 'AI: merge', 'AI: 1', 'commit 1',
    ])
  })

  it('the oldest commit of a shallow clone', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2, 3]) sandbox.commit(`AI: ${at}`, { 'a': `x${at}` })
    const clone = tempDir()
    sandbox.git('clone', '--quiet', '--depth', '3', `file://${sandbox.root}`, clone)
    sandbox.git('-C', clone, 'remote', 'remove', 'origin')
    const outcome = await squash({ ...sandbox.options, root: clone }, { mode: 'auto_ai' })
    expect(outcome.squashed[0]?.replaces).toHaveLength(2)
  })
})

describe('refusals', () => {
  it.each<[string, SquashRequest, object]>([
    ['hours missing', { mode: 'hours' }, { code: 'MISSING_PARAMETER', message: 'Missing required parameter: hours' }],
    ['days missing', { mode: 'days' }, { code: 'MISSING_PARAMETER', message: 'Missing required parameter: days' }],
    ['text missing', { mode: 'msg_contains' }, { message: 'Missing required parameter: msg_target' }],
    ['of another mode', { mode: 'days', days: 1, hours: 2 }, {
      code: 'INVALID_PARAMETER', message: 'squash: hours belongs to mode hours, not to days',
    }],
    ['no time', { mode: 'hours', hours: 0 }, { code: 'INVALID_PARAMETER', message: 'Invalid integer value: 0' }],
    ['empty text', { mode: 'msg_contains', msg_target: '' }, { message: 'squash: msg_target cannot be empty' }],
    ['empty message', { mode: 'auto_ai', message: ' \n' }, { message: 'squash: message cannot be empty' }],
  ])('%s', async (_, request, error) => {
    const options = { root: tempDir(), signal: new AbortController().signal }
    await expect(squash(options, request)).rejects.toMatchObject(error)
  })

  it('a detached HEAD, an operation in progress, no identity, a failing signature: nothing changes', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2]) sandbox.commit(`AI: ${at}`)
    const refs = sandbox.git('show-ref')
    sandbox.git('checkout', '--quiet', '--detach')
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toThrow('HEAD is detached')
    sandbox.git('switch', '--quiet', 'main')
    writeFileSync(join(sandbox.root, '.git', 'MERGE_HEAD'), `${sandbox.head()}\n`)
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
    sandbox.git('merge', '--quit')
    sandbox.git('config', 'commit.gpgSign', 'true')
    sandbox.git('config', 'gpg.program', 'false')
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toMatchObject({ code: 'NONZERO_EXIT' })
    expect(sandbox.git('show-ref')).toBe(refs)
  })

  it('no hook of the repository is asked', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2]) sandbox.commit(`AI: ${at}`)
    const hook = join(sandbox.root, '.git', 'hooks', 'reference-transaction')
    writeFileSync(hook, '#!/bin/sh\n[ "$1" = prepared ] && exit 1\nexit 0\n', { mode: 0o755 })
    expect(await run(sandbox, { mode: 'auto_ai' })).toMatchObject({ success: true })
  })

  it('signs by the program of the user where all commits are to be signed, and stops when the branch moves meanwhile', async () => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2]) sandbox.commit(`AI: ${at}`)
    const head = sandbox.head()
    const sign = "cat > /dev/null\necho 'SIGNATURE'\necho '[GNUPG:] SIG_CREATED D' >&2\n"
    const program = join(tempDir(), 'sign')
    writeFileSync(program, `#!/bin/sh\n${sign}git update-ref refs/heads/main HEAD~1\n`, { mode: 0o755 })
    sandbox.git('config', 'commit.gpgSign', 'true')
    // The repository's own choice of a program counts for nothing.
    sandbox.git('config', 'gpg.program', 'false')
    vi.stubEnv('GIT_CONFIG_COUNT', '1')
    vi.stubEnv('GIT_CONFIG_KEY_0', 'gpg.program')
    vi.stubEnv('GIT_CONFIG_VALUE_0', program)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(run(sandbox, { mode: 'auto_ai' })).rejects.toMatchObject({ code: 'CHANGED_ON_DISK' })
    expect(sandbox.git('rev-parse', 'HEAD')).toBe(sandbox.git('rev-parse', `${head}~1`))
    expect(sandbox.git('for-each-ref', 'refs/hermes')).toBe('')

    sandbox.git('update-ref', 'refs/heads/main', head)
    writeFileSync(program, `#!/bin/sh\n${sign}`)
    await run(sandbox, { mode: 'auto_ai' })
    expect(sandbox.git('cat-file', 'commit', 'HEAD')).toContain('\ngpgsig SIGNATURE\n')
  })
})

it('any history: trees stay, selected groups become one, the others are kept in order', async () => {
  const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 })
  await fc.assert(fc.asyncProperty(history, fc.boolean(), async (kinds, contiguous) => {
    const sandbox = Sandbox.of({ 'a': '0' })
    for (const [at, isAi] of kinds.entries()) sandbox.commit(`${isAi ? 'AI: ' : ''}c${at}`, { 'a': `${at}` })
    const tree = sandbox.git('rev-parse', 'HEAD^{tree}')
    const runs = kinds.map((isAi, at) => ({ isAi, at })).reduce<{ isAi: boolean; size: number }[]>((all, { isAi }) => {
      const last = all.at(-1)
      if (last?.isAi === true && isAi) last.size++
      else all.push({ isAi, size: 1 })
      return all
    }, [])
    const squashable = runs.filter((one, at) => one.size > 1 && (!contiguous || at === runs.length - 1))
    const expected = 1 + kinds.length - squashable.reduce((sum, { size }) => sum + size - 1, 0)
    const outcome = await run(sandbox, { mode: 'auto_ai', contiguous_only: contiguous })
      .catch((error: { code: string }) => error.code)
    if (squashable.length === 0) expect(outcome).toBe('NOTHING_TO_SQUASH')
    else expect(outcome).toMatchObject({ squashed: { length: squashable.length } })
    expect(sandbox.git('rev-list', '--count', 'HEAD')).toBe(String(expected))
    expect(sandbox.git('rev-parse', 'HEAD^{tree}')).toBe(tree)
    expect(sandbox.git('status', '--porcelain')).toBe('')
  }), { numRuns: 10 })
})
