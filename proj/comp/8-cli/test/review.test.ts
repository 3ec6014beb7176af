import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text as allText } from 'node:stream/consumers'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { plainEnvironment, type CliOutcome } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { applyPatch, type ReviewMessage, type ReviewState, type Update } from '../../6-review/src/index.js'

const CLI = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url))
const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
const ANSWER = call('write_file', { path: 'a.txt', content: 'one\n' })

interface Started {
  origin: string
  ended: Promise<CliOutcome>
  kill(signal: NodeJS.Signals): void
  send(message: ReviewMessage): Promise<number>
  /** Waits until the state is so, as a page that stays open. */
  until(isSo: (state: ReviewState) => boolean): Promise<ReviewState>
}

/** `hermes review` as it is installed, with the page's place in the hands of the test. */
async function startReview(cwd: string, args: readonly string[], input = ''): Promise<Started> {
  const child = spawn(process.execPath, [CLI, 'review', ...args], { cwd, env: plainEnvironment(), stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(input)
  const said: string[] = []
  const stderr = createInterface({ input: child.stderr })
  stderr.on('line', (line) => said.push(line))
  const ended = Promise.all([allText(child.stdout), once(child, 'close')]).then(([stdout, [exitCode]]): CliOutcome => (
    { stdout, stderr: `${said.slice(2).join('\n')}\n`, exitCode: exitCode as number | null }
  ))
  // Where it ends before it listens, that is what is waited for.
  await Promise.race([once(stderr, 'line'), ended])
  const [, origin = '', token = ''] = /^hermes: review at (http:\/\/127\.0\.0\.1:\d+)\/#([\w-]{43})$/.exec(said[0] ?? '') ?? []
  expect([said, origin]).toEqual([expect.anything(), expect.stringMatching(/^http/)])
  const authorization = `Bearer ${token}`
  let updates: AsyncIterator<string> | undefined
  let state: ReviewState | undefined
  return {
    origin, ended,
    kill: (signal) => void child.kill(signal),
    send: async (message) => {
      const headers = { authorization, 'content-type': 'application/json' }
      return (await fetch(`${origin}/api/messages`, { method: 'POST', headers, body: JSON.stringify(message) })).status
    },
    until: async (isSo) => {
      updates ??= await updatesOf(origin, authorization)
      for (;;) {
        if (state && isSo(state)) return state
        const { done, value } = await updates.next()
        if (done) throw new Error(`It ended before: ${JSON.stringify(state)}`)
        const update = JSON.parse(value) as Update
        if (update.type === 'state') state = update.state
        else if (update.type === 'patch' && state) state = applyPatch(state, update.patch)
      }
    },
  }
}

async function updatesOf(origin: string, authorization: string): Promise<AsyncIterator<string>> {
  const { body } = await fetch(`${origin}/api/events`, { headers: { authorization } })
  if (!body) throw new Error('There are no events')
  const input = Readable.fromWeb(body as unknown as WebStream)
  // The server has ended.
  input.on('error', () => undefined)
  return createInterface({ input })[Symbol.asyncIterator]()
}

const isShown = ({ phase, previewing }: ReviewState): boolean => phase === 'review' && !previewing

it('serves the page, runs what it is told, prints the run, and says with its exit code how it went', async () => {
  const cwd = tempDir()
  const review = await startReview(cwd, ['-', '--no-git'], ANSWER)
  expect(await (await fetch(review.origin)).text()).toContain('<title>hermes review</title>')
  expect((await (await fetch(`${review.origin}/review.js`)).text()).length).toBeGreaterThan(10_000)
  const { revision } = await review.until(isShown)
  expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
  expect(await review.send({ type: 'run', revision })).toBe(200)
  await review.until(({ phase }) => phase === 'ran')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
  expect(await review.send({ type: 'finish' })).toBe(200)
  const { stdout, stderr, exitCode } = await review.ended
  expect([stdout.replace(/\d+\.\d\d s/, '0.00 s'), stderr, exitCode]).toEqual([
    '✓  b1   write_file          a.txt  created, 4 B\n\n1 of 1 block succeeded · 0.00 s\n', '\n', 0,
  ])
})

it('ends at Ctrl-C before anything ran', async () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'answer.md'), ANSWER)
  const review = await startReview(cwd, ['answer.md'])
  await review.until(isShown)
  review.kill('SIGINT')
  expect(await review.ended).toEqual({ stdout: '', stderr: 'hermes: nothing ran: the review was ended\n', exitCode: 130 })
  expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
})

it('ends the command that runs at Ctrl-C, and tells of what ran', async () => {
  const cwd = tempDir()
  const review = await startReview(cwd, ['-', '--json', '--sandbox', 'none'], ANSWER + call('execute_command', { command: 'touch begun; sleep 60' }))
  const { revision } = await review.until(isShown)
  await review.send({ type: 'run', revision })
  await review.until(({ items }) => items[1]?.card.state === 'running')
  review.kill('SIGINT')
  const { stdout, exitCode } = await review.ended
  expect(exitCode).toBe(130)
  expect(JSON.parse(stdout)).toMatchObject({ success: false, review: { cancelled: true, edited: [] }, results: [{ success: true }, { code: 'CANCELLED' }] })
})
