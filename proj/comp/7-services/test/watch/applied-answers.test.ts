import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { AppliedAnswers, type Claim } from '../../src/watch/applied-answers.js'

const HASH = 'a'.repeat(64)

function claimed(taken: ReturnType<AppliedAnswers['claim']>): Claim {
  if ('how' in taken) throw new Error(`It is taken: ${taken.how}`)
  return taken
}

it('gives an answer to one only, and remembers it', () => {
  const root = tempDir()
  const [one, other] = [new AppliedAnswers(root), new AppliedAnswers(root)]
  const claim = claimed(one.claim(HASH, 'run-1', '/in/a.md'))
  // This very process lives.
  expect(other.claim(HASH, 'run-2', '/in/b.md')).toMatchObject({ how: 'elsewhere', runId: 'run-1' })
  claim.end()
  expect(new AppliedAnswers(root).claim(HASH, 'run-3', '/in/a.md')).toMatchObject({ how: 'applied', runId: 'run-1' })
  const directory = join(root, '.hermes', 'watch')
  expect(readdirSync(directory)).toEqual([`${HASH}.1.json`])
  expect(statSync(join(directory, `${HASH}.1.json`)).mode & 0o777).toBe(0o600)
})

it('gives it again when nothing of it was done', () => {
  const applied = new AppliedAnswers(tempDir())
  claimed(applied.claim(HASH, 'run-1', '/in/a.md')).release()
  claimed(applied.claim(HASH, 'run-2', '/in/a.md')).end()
})

it('takes over from a process that died before its run began, once', () => {
  const root = tempDir()
  const applied = new AppliedAnswers(root)
  claimed(applied.claim(HASH, 'run-1', '/in/a.md'))
  const file = join(root, '.hermes', 'watch', `${HASH}.1.json`)
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { owner: { pid: number; started?: string } }
  stored.owner = { ...stored.owner, pid: 2 ** 22 + 1 }
  writeFileSync(file, JSON.stringify(stored))
  claimed(applied.claim(HASH, 'run-2', '/in/a.md'))
  expect(applied.claim(HASH, 'run-3', '/in/a.md')).toMatchObject({ how: 'elsewhere', runId: 'run-2' })
})

it('runs nothing again whose record is damaged', () => {
  const root = tempDir()
  const applied = new AppliedAnswers(root)
  writeFileSync(join(root, '.hermes', 'watch', `${HASH}.1.json`), '{"runId":')
  expect(applied.claim(HASH, 'run-1', '/in/a.md')).toMatchObject({ how: 'died' })
})

it('goes by the last attempt, also where the journal of an earlier one is no longer there', () => {
  const root = tempDir()
  const applied = new AppliedAnswers(root)
  const dead = { owner: { pid: 2 ** 22 + 1, host: hostname() }, path: '/in/a.md', begunAt: new Date().toISOString(), runId: '20200101T000000000Z-000000' }
  const file = (attempt: number): string => join(root, '.hermes', 'watch', `${HASH}.${attempt}.json`)
  writeFileSync(file(1), JSON.stringify(dead))
  // Journals are removed when there are more than a hundred.
  for (let run = 0; run < 100; run++) mkdirSync(join(root, '.hermes', 'journal', `20260101T0000000${String(run).padStart(2, '0')}Z-000000`), { recursive: true })
  expect(applied.claim(HASH, 'run-3', '/in/a.md')).toMatchObject({ how: 'died' })
  writeFileSync(file(2), JSON.stringify({ ...dead, runId: 'run-2', endedAt: dead.begunAt }))
  expect(applied.claim(HASH, 'run-3', '/in/a.md')).toMatchObject({ how: 'applied', runId: 'run-2' })
})

it('forgets the oldest answers, with all their attempts', () => {
  const root = tempDir()
  const directory = join(root, '.hermes', 'watch')
  void new AppliedAnswers(root)
  const save = (name: string, year: number): void => {
    writeFileSync(join(directory, name), '{}')
    utimesSync(join(directory, name), new Date(year, 1), new Date(year, 1))
  }
  // The first attempt of b is older than all others; its last is not.
  for (const [name, year] of [['a.1.json', 2001], ['b.1.json', 2000], ['b.2.json', 2003], ['c.1.json', 2002]] as const) save(name, year)
  void new AppliedAnswers(root, 2)
  expect(readdirSync(directory).sort()).toEqual(['b.1.json', 'b.2.json', 'c.1.json'])
})

it('of what cannot be read says that it died, and looks no further: a link to nowhere', async () => {
  const root = tempDir()
  mkdirSync(join(root, '.hermes', 'watch'), { recursive: true })
  symlinkSync('nowhere', join(root, '.hermes', 'watch', `${HASH}.1.json`))
  const script = await bundleForNode(new URL('support/claim-answer.ts', import.meta.url).pathname, tempDir())
  expect(execFileSync(process.execPath, [script, root, HASH], { encoding: 'utf8', timeout: 10_000 })).toBe('died')
})
