import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { needing } from '../../../test/support/needs.js'
import type { ReviewMessage } from '../src/index.js'
import { isShown, startReview } from './review-client.js'

const write = (id: string, path: string, content: string): string => `#!SHAM [@three-char-SHA-256: ${id}]
action = "file_write"
path = "${path}"
content = <<'EOT_SHAM_${id}'
${content}
EOT_SHAM_${id}
#!END_SHAM_${id}
`
const ANSWER = `Three files.

${write('aaa', '/workspace/a.txt', 'one')}
${write('bbb', '/workspace/b.txt', 'two')}
and a block that is none:

\`\`\`json hermes
{"verb": "fs.writeFile", "arguments": {"path": "c.txt", "content": "three",}}
\`\`\`
`
const COMMAND = (command: string): string => `\`\`\`yaml hermes
verb: exec
arguments:
  lang: bash
  code: ${command}
\`\`\`
`

function root(): string {
  const dir = tempDir()
  execFileSync('git', ['init', '-q', '-b', 'main', dir])
  execFileSync('git', ['-C', dir, 'config', 'user.email', 'a@example.org'])
  execFileSync('git', ['-C', dir, 'config', 'user.name', 'A'])
  writeFileSync(join(dir, 'a.txt'), 'zero\n')
  execFileSync('git', ['-C', dir, 'add', '-A'])
  execFileSync('git', ['-C', dir, 'commit', '-q', '-m', 'first'])
  return dir
}

it('shows what would happen, runs the ticked blocks once, tells live what happens, and takes it back', async () => {
  const dir = root()
  const review = await startReview({ text: ANSWER, run: { root: dir, rootAliases: ['/workspace'] } })
  const page = await review.watch()
  const other = await review.watch()
  const shown = await page.until(isShown)
  expect(shown.items.map(({ card }) => [card.blockId, card.state])).toEqual([['aaa', 'pending'], ['bbb', 'pending'], ['b1', 'unparsed']])
  expect(existsSync(join(dir, 'b.txt'))).toBe(false)
  expect(await review.send({ type: 'tick', keys: ['2', '3'], on: false })).toMatchObject({ status: 200 })
  // What is not shown any more is not run.
  expect(await review.send({ type: 'run', revision: shown.revision })).toMatchObject({ status: 409 })
  const { revision } = await page.until(isShown)
  expect(await review.send({ type: 'run', revision })).toMatchObject({ status: 200 })
  const ran = await page.until(({ phase }) => phase === 'ran')
  expect(ran.items.map(({ card }) => card.state)).toEqual(['succeeded', 'skipped', 'skipped'])
  expect(ran.outcome).toMatchObject({ success: true, executed: 1, failed: 0, leftOut: 2, undoable: true, gitCommit: expect.any(String) })
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toContain('one')
  expect(existsSync(join(dir, 'b.txt'))).toBe(false)
  expect(await review.send({ type: 'run', revision })).toMatchObject({ status: 409 })
  expect(await review.send({ type: 'undo' })).toMatchObject({ status: 200 })
  await page.until(({ phase }) => phase === 'undone')
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('zero\n')
  expect(await other.until(({ phase }) => phase === 'undone')).toEqual(page.state)
  expect(await review.send({ type: 'finish' })).toMatchObject({ status: 200 })
  await page.closed
  const end = await review.ended
  expect(end).toMatchObject({ cancelled: false, undo: { success: true }, result: { success: true, totalBlocks: 1 } })
  expect(end.result?.skipped.map(({ blockId, reason }) => [blockId, reason])).toEqual([
    ['bbb', 'left out in the review'], ['b1', 'left out in the review'],
  ])
})

it('says how much of a long block the card leaves out, and that a file is too large to be shown', async () => {
  const text = [70_000, 1_100_000].map((length, at) => write(`aa${at}`, `/workspace/${at}.txt`, 'x'.repeat(length))).join('')
  const review = await startReview({ text, run: { root: tempDir(), rootAliases: ['/workspace'] } })
  const { items: [long, large] } = await (await review.watch()).until(isShown)
  expect(long?.card.source).toMatch(/x\n… \(it goes on for 4,[\d]{3} characters: Edit shows all of it\)$/)
  expect(large?.card.changes).toMatchObject([{ kind: 'create', note: 'Not text, or too large to be shown.' }])
})

it('gives the reply to what has run, the same each time, until it is taken back', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'a.txt'), 'zero\n')
  const read = '```yaml hermes\nverb: read_file\narguments: {path: a.txt}\n```\n'
  const review = await startReview({ text: read + ['bbb', 'ccc'].map((id) => write(id, `${dir}/${id}.txt`, 'two')).join(''), run: { root: dir } })
  const page = await review.watch()
  const { revision } = await page.until(isShown)
  expect(await review.send({ type: 'reply' })).toMatchObject({ status: 409 })
  await review.send({ type: 'tick', keys: ['2'], on: false })
  await page.until((state) => isShown(state) && state.revision > revision)
  await review.send({ type: 'run', revision: page.state.revision })
  await page.until(({ phase }) => phase === 'ran')
  const { text } = (await review.send({ type: 'reply' })).json
  expect(text).toContain('    | zero\n')
  expect(text).toContain('left out in the review')
  expect((await review.send({ type: 'reply' })).json).toEqual({ text })
  await review.send({ type: 'undo' })
  await page.until(({ phase }) => phase === 'undone')
  expect(await review.send({ type: 'reply' })).toMatchObject({ status: 409 })
})

it('runs a block as it was edited, and takes no edit that reaches beyond it', async () => {
  const dir = tempDir()
  const review = await startReview({ text: ANSWER, run: { root: dir, rootAliases: ['/workspace'] } })
  const page = await review.watch()
  const first = await page.until(isShown)
  const other = (await review.send({ type: 'source', key: '1' })).json
  const source = String(other['text'])
  expect(source).toBe(write('aaa', '/workspace/a.txt', 'one').trimEnd())
  await review.send({ type: 'edit', key: '1', text: source.replace("\nEOT_SHAM_aaa\n#!END_SHAM_aaa", '') })
  const refused = await page.until(({ items }) => items[0]?.refused !== undefined || items[0]?.card.state === 'unparsed')
  expect(await review.send({ type: 'run', revision: refused.revision })).toMatchObject({ status: 409 })
  await review.send({ type: 'edit', key: '1', text: source.replace('file_write', 'file_wrote') })
  const wrong = await page.until((state) => isShown(state) && state.items[0]?.card.state === 'failed')
  expect(wrong.items[0]).toMatchObject({ edited: true, card: { code: 'UNKNOWN_ACTION' } })
  await review.send({ type: 'edit', key: '1', text: source.replace('\none\n', '\none\nand more\n') })
  const right = await page.until((state) => isShown(state) && state.items[0]?.card.state === 'pending' && state.items[0].edited)
  // A page that shows the text of before can know it.
  expect(right.items[0]?.textRevision).toBeGreaterThan(Number(other['textRevision']))
  expect(right.items[0]?.textRevision).toBe((await review.send({ type: 'source', key: '1' })).json['textRevision'])
  expect(right.items[1]?.card.startLine).toBe((first.items[1]?.card.startLine ?? 0) + 1)
  await review.send({ type: 'run', revision: right.revision })
  await page.until(({ phase }) => phase === 'ran')
  expect(readFileSync(join(dir, 'a.txt'), 'utf8').trim()).toBe('one\nand more')
  await review.send({ type: 'finish' })
  expect(await review.ended).toMatchObject({ edited: ['aaa'], result: { success: false, executedActions: 2 } })
})

it('puts the fix of a block in place where asked to, and runs it so', async () => {
  const dir = tempDir()
  const text = ['#! SHAM [@three-char-SHA-256: abc]', 'action = "file_write"', `path = "${join(dir, 'a.txt')}"`, 'content = "a"', '#!END_SHAM_abc', ''].join('\n')
  const review = await startReview({ text, run: { root: dir } })
  const page = await review.watch()
  expect((await page.until(isShown)).items).toMatchObject([{ mendable: true, edited: false, card: { state: 'unparsed' } }])
  expect((await review.send({ type: 'mend', key: '1' })).json).toMatchObject({ taken: true })
  const { items: [item], revision } = await page.until((state) => isShown(state) && state.items[0]?.edited === true)
  expect(item).toMatchObject({ edited: true, mended: true, card: { state: 'pending' }, edit: { added: 1, removed: 1 } })
  expect(item?.edit?.hunks[0]?.lines.slice(0, 2)).toEqual(['-#! SHAM [@three-char-SHA-256: abc]', '+#!SHAM [@three-char-SHA-256: abc]'])
  expect(item).not.toHaveProperty('mendable')
  expect((await review.send({ type: 'mend', key: '1' })).status).not.toBe(200)
  await review.send({ type: 'run', revision })
  await page.until(({ phase }) => phase === 'ran')
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('a')
  await review.send({ type: 'finish' })
  expect(await review.ended).toMatchObject({ edited: ['abc'], mended: ['abc'] })
})

it('tells of a command what it has printed so far and since when it runs, until it ends', async () => {
  const dir = tempDir()
  const run = { root: dir, sandbox: 'none' as const }
  const review = await startReview({ text: COMMAND('echo first words; until [ -e go ]; do sleep 0.05; done; echo last words'), run })
  const page = await review.watch()
  const { revision } = await page.until(isShown)
  await review.send({ type: 'run', revision })
  const { items: [item] } = await page.until(({ items: [one] }) => one?.live?.lines.includes('first words') === true)
  expect(item).toMatchObject({ card: { state: 'running' }, live: { lines: ['first words'] } })
  expect(Date.parse(item?.live?.since ?? '')).not.toBeNaN()
  writeFileSync(join(dir, 'go'), '')
  const { items: [ended] } = await page.until(({ phase }) => phase === 'ran')
  expect(ended).toMatchObject({ card: { state: 'succeeded', output: { stdout: 'first words\nlast words\n' } } })
  expect(ended?.live).toBeUndefined()
})

it('says before it runs that a file is no longer as it was shown', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'b.txt'), 'mine')
  const review = await startReview({ text: ANSWER, run: { root: dir, rootAliases: ['/workspace'] } })
  const page = await review.watch()
  const { revision } = await page.until(isShown)
  writeFileSync(join(dir, 'b.txt'), 'mine, and changed')
  await review.send({ type: 'run', revision })
  const again = await page.until(({ phase, notice }) => phase === 'review' && notice?.kind === 'changed')
  expect(again.notice?.text).toContain('bbb')
  expect(readFileSync(join(dir, 'b.txt'), 'utf8')).toBe('mine, and changed')
  await review.send({ type: 'run', revision: again.revision })
  await page.until(({ phase }) => phase === 'ran')
  expect(readFileSync(join(dir, 'b.txt'), 'utf8').trim()).toBe('two')
})

it('shows what a command would ask, and takes the answers beforehand or while it runs', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'mark'), '')
  const text = [COMMAND('rm -rf one'), COMMAND('rm -rf two'), COMMAND('rm -rf mark')].join('\n')
  const review = await startReview({ text, run: { root: dir, sandbox: 'none' } })
  const page = await review.watch()
  const { items, revision } = await page.until(isShown)
  expect(items.map(({ asks }) => asks.map(({ kind, approved }) => [kind, approved]))).toEqual([0, 1, 2].map(() => [['dangerous', false]]))
  expect(existsSync(join(dir, 'mark'))).toBe(true)
  const about = { reason: items[0]?.asks[0]?.reason ?? '', command: 'rm -rf one', exact: items[0]?.asks[0]?.exact }
  expect(await review.send({ type: 'approve', key: '1', ask: 0, about: { ...about, reason: 'something else' }, on: true })).toMatchObject({ status: 409 })
  expect(await review.send({ type: 'approve', key: '1', ask: 0, about: { ...about, command: 'rm -rf two' }, on: true })).toMatchObject({ status: 409 })
  expect(await review.send({ type: 'approve', key: '1', ask: 0, about: { ...about, exact: 'another directory' }, on: true })).toMatchObject({ status: 409 })
  await review.send({ type: 'approve', key: '1', ask: 0, about, on: true })
  await review.send({ type: 'run', revision })
  const asking = await page.until(({ prompts }) => prompts.length > 0)
  // The first was approved beforehand; what is asked is about the second.
  expect(asking.prompts).toMatchObject([{ id: '1', key: '2', kind: 'approval', request: { kind: 'dangerous', command: 'rm -rf two' } }])
  expect(asking.items[0]?.card.state).toBe('succeeded')
  // No page can widen the user's policy.
  expect(await review.send({ type: 'answer', prompt: '1', answer: 'always' })).toMatchObject({ status: 400 })
  expect(await review.send({ type: 'answer', prompt: '1', answer: true })).toMatchObject({ status: 400 })
  await review.send({ type: 'answer', prompt: '1', answer: 'once' })
  expect(await review.send({ type: 'answer', prompt: '1', answer: 'once' })).toMatchObject({ status: 400 })
  await page.until(({ prompts }) => prompts[0]?.id === '2')
  await review.send({ type: 'answer', prompt: '2', answer: 'deny' })
  const ran = await page.until(({ phase }) => phase === 'ran')
  expect(ran.items.map(({ card }) => card.code)).toEqual([undefined, undefined, 'APPROVAL_DENIED'])
  expect(existsSync(join(dir, 'mark'))).toBe(true)
})

needing('bubblewrap').it('asks whether a command that the sandbox stopped may run again with more, and takes what it offers', async () => {
  const dir = root()
  const text = [COMMAND('git branch made'), COMMAND('git branch other')].join('\n')
  const review = await startReview({ text, run: { root: dir, sandbox: 'bwrap' } })
  const page = await review.watch()
  const { revision } = await page.until(isShown)
  await review.send({ type: 'run', revision })
  const asking = await page.until(({ prompts }) => prompts.length > 0)
  expect(asking.prompts).toMatchObject([{
    id: '1', key: '1', kind: 'approval', request: { kind: 'escalation', reason: 'the sandbox stopped it: .git is read-only' },
    openings: [{ access: 'git', opens: 'in the sandbox, with .git writable, but nothing that has git run programs' }],
  }])
  for (const answer of ['once', 'session', { answer: 'once', access: 'outside' }] as const) {
    expect(await review.send({ type: 'answer', prompt: '1', answer })).toMatchObject({ status: 400 })
  }
  const kept = { type: 'answer', prompt: '1', answer: { answer: 'always', access: 'git' } } as unknown as ReviewMessage
  expect(await review.send(kept)).toMatchObject({ status: 400 })
  await review.send({ type: 'answer', prompt: '1', answer: { answer: 'once', access: 'git' } })
  await page.until(({ prompts }) => prompts[0]?.id === '2')
  await review.send({ type: 'answer', prompt: '2', answer: 'deny' })
  const ran = await page.until(({ phase }) => phase === 'ran')
  expect(ran.items.map(({ card }) => card.state)).toEqual(['succeeded', 'failed'])
  expect(execFileSync('git', ['-C', dir, 'branch', '--format=%(refname:short)'], { encoding: 'utf8' })).toBe('made\nmain\n')
})

it('drops an approval with the block it was given for', async () => {
  const dir = tempDir()
  const review = await startReview({ text: COMMAND('rm -rf one'), run: { root: dir, sandbox: 'none' } })
  const page = await review.watch()
  const { items } = await page.until(isShown)
  await review.send({ type: 'approve', key: '1', ask: 0, about: { reason: items[0]?.asks[0]?.reason ?? '', command: 'rm -rf one', exact: items[0]?.asks[0]?.exact }, on: true })
  expect((await page.until((state) => state.items[0]?.asks[0]?.approved === true)).phase).toBe('review')
  const text = COMMAND('rm -rf one\n  cwd: sub').trim()
  await review.send({ type: 'edit', key: '1', text })
  expect((await page.until((state) => isShown(state) && state.items[0]?.edited === true)).items[0]?.asks[0]?.approved ?? false).toBe(false)
})

it('shows the hooks that would run, then those that ran, and fails where one does', async () => {
  const dir = tempDir()
  const hooks = { before: [{ name: 'ready', run: 'true' }], after_write: [{ name: 'format', files: '*.txt', run: ['sed', '-i', 's/one/1/', '{path}'] }], after: [{ name: 'tests', run: 'echo not ok; exit 1' }] }
  const review = await startReview({ text: write('aaa', `${dir}/a.txt`, 'one'), run: { root: dir, sandbox: 'none', policy: { hooks }, approve: () => 'once' } })
  const page = await review.watch()
  const { others, revision } = await page.until(isShown)
  expect(others.map(({ action, state }) => [action, state])).toEqual([['hook ready', 'pending'], ['hook format', 'pending'], ['hook tests', 'pending']])
  await review.send({ type: 'run', revision })
  const answered = new Set<string>()
  const ran = await page.until(({ phase, prompts: [prompt] }) => {
    if (prompt && !answered.has(prompt.id)) {
      answered.add(prompt.id)
      void review.send({ type: 'answer', prompt: prompt.id, answer: 'once' })
    }
    return phase === 'ran'
  })
  expect(ran.others.map(({ action, state, hook }) => [action, state, hook?.blocks])).toEqual([
    ['hook ready', 'succeeded', undefined], ['hook format', 'succeeded', ['aaa']], ['hook tests', 'failed', undefined],
  ])
  expect(ran.others[2]?.output?.stdout).toBe('not ok\n')
  expect(ran.outcome).toMatchObject({ success: false, failed: 0, failedHooks: 1 })
  expect(ran.warnings.join()).not.toContain('tests')
  expect(page.updates.some((update) => update.type === 'patch' && update.patch.others?.some(({ state }) => state === 'running'))).toBe(true)
})

it('breaks a run off when it is cancelled, and ends the command that runs', async () => {
  const dir = tempDir()
  const review = await startReview({ text: COMMAND('touch begun; sleep 60; touch done') + write('aaa', `${dir}/a.txt`, 'one'), run: { root: dir, sandbox: 'none' } })
  const page = await review.watch()
  const { revision } = await page.until(isShown)
  expect(await review.send({ type: 'cancel' })).toMatchObject({ status: 409 })
  await review.send({ type: 'run', revision })
  await page.until(({ items }) => items[0]?.card.state === 'running')
  await review.send({ type: 'cancel' })
  const ran = await page.until(({ phase }) => phase === 'ran')
  expect(ran.items.map(({ card }) => card.code)).toEqual(['CANCELLED', 'CANCELLED'])
  expect(existsSync(join(dir, 'a.txt'))).toBe(false)
})

it('is cancelled when all its pages were closed, but not by a page that loads again', async () => {
  const dir = tempDir()
  const review = await startReview({ text: ANSWER, run: { root: dir, rootAliases: ['/workspace'] }, graceMs: 150 })
  const page = await review.watch()
  await page.until(isShown)
  page.leave()
  const again = await review.watch()
  expect(again.state.phase).toBe('review')
  const other = await review.watch()
  again.leave()
  await other.until(isShown)
  other.leave()
  expect(await review.ended).toEqual({ cancelled: true, edited: [] })
  expect(existsSync(join(dir, 'b.txt'))).toBe(false)
})

it('ends a run whose pages were closed, and tells what came of it', async () => {
  const dir = tempDir()
  const text = write('aaa', `${dir}/a.txt`, 'one') + COMMAND('touch begun; sleep 60')
  const review = await startReview({ text, run: { root: dir, sandbox: 'none' }, graceMs: 10 })
  const page = await review.watch()
  const { revision } = await page.until(isShown)
  await review.send({ type: 'run', revision })
  await page.until(({ items }) => items[1]?.card.state === 'running')
  page.leave()
  const end = await review.ended
  expect(end).toMatchObject({ cancelled: true, result: { success: false, executedActions: 2 } })
  expect(end.result?.results.map(({ code }) => code)).toEqual([undefined, 'CANCELLED'])
})

it('ends at Ctrl-C, and tells its pages', async () => {
  const review = await startReview({ text: ANSWER, run: { root: tempDir(), rootAliases: ['/workspace'] } })
  const page = await review.watch()
  review.interrupt()
  await page.closed
  expect(page.state.phase).toBe('ended')
  expect(await review.ended).toEqual({ cancelled: true, edited: [] })
})
