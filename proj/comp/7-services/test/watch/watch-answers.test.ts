import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { AppliedAnswers } from '../../src/watch/applied-answers.js'
import { answerHash, watchAnswers, watchedPlace, type Answer } from '../../src/watch/index.js'

const ANSWER = shamBlock('abc', 'file_write', { path: '/w/a', content: 'x' })
const RESULT: ExecutionResult = { success: true, totalBlocks: 1, executedActions: 1, results: [], parseErrors: [], skipped: [], durationMs: 1 }

interface Started {
  root: string
  inbox: string
  said: string[]
  ran: string[]
  ended: Promise<void>
  stop(): void
}

/** In this process; what runs is told only, so that what surrounds a run can be held to. */
function start(apply: (answer: Answer) => void = () => undefined, prepare: (root: string) => void = () => undefined): Started {
  const cwd = tempDir()
  const [root, inbox] = [join(cwd, 'root'), join(cwd, 'inbox')]
  mkdirSync(root)
  mkdirSync(inbox)
  prepare(root)
  const [said, ran]: [string[], string[]] = [[], []]
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const ended = watchAnswers({
    place: watchedPlace(inbox), root, quietMs: 10, existing: true, once: false, signal: ending.signal, ready: () => undefined,
    notice: (sentence) => said.push(sentence),
    async apply(answer) {
      apply(answer)
      ran.push(answer.text)
      return { result: RESULT, written: [], isPrepended: false }
    },
  })
  return { root, inbox, said, ran, ended, stop: () => ending.abort() }
}

async function untilTrue(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1000) throw new Error(`${String(isSo)} never came true`)
    await sleep(10)
  }
}

it('what failed before it did anything may run again', async () => {
  const watch = start(() => {
    throw new Error('no such module')
  })
  writeFileSync(join(watch.inbox, 'a.md'), ANSWER)
  await expect(watch.ended).rejects.toThrow('no such module')
  expect(readdirSync(join(watch.root, '.hermes', 'watch'))).toEqual([])
})

it('goes on when its state or the root is removed, and made again', async () => {
  const watch = start()
  writeFileSync(join(watch.inbox, 'a.md'), ANSWER)
  await untilTrue(() => watch.ran.length === 1)
  rmSync(join(watch.root, '.hermes'), { recursive: true })
  writeFileSync(join(watch.inbox, 'b.md'), `Two.\n${ANSWER}`)
  await untilTrue(() => watch.ran.length === 2)
  renameSync(watch.root, `${watch.root}-away`)
  writeFileSync(join(watch.inbox, 'c.md'), `Three.\n${ANSWER}`)
  await untilTrue(() => watch.said.length > 0)
  renameSync(`${watch.root}-away`, watch.root)
  await untilTrue(() => watch.ran.length === 3)
  expect(watch.said).toEqual([`waits: ${watch.root} is gone`])
  watch.stop()
  await watch.ended
})

it('goes on when the folder cannot be read for a while, and takes what was there before for nothing new', async () => {
  const watch = start()
  writeFileSync(join(watch.inbox, 'a.md'), ANSWER)
  await untilTrue(() => watch.ran.length === 1)
  renameSync(watch.inbox, `${watch.inbox}-away`)
  // Root may read every folder; a link to itself nobody can.
  symlinkSync(watch.inbox, watch.inbox)
  await untilTrue(() => watch.said.length > 0)
  rmSync(watch.inbox)
  renameSync(`${watch.inbox}-away`, watch.inbox)
  writeFileSync(join(watch.inbox, 'b.md'), `Two.\n${ANSWER}`)
  await untilTrue(() => watch.ran.length === 2)
  expect(watch.said).toEqual([`${watch.inbox} cannot be read (ELOOP); it is watched again when it can`])
  watch.stop()
  await watch.ended
})

it('state that is removed while an answer runs is made again', async () => {
  const watch = start(() => rmSync(join(watch.root, '.hermes'), { recursive: true }))
  writeFileSync(join(watch.inbox, 'a.md'), ANSWER)
  await untilTrue(() => watch.ran.length === 1)
  watch.stop()
  await watch.ended
  expect(existsSync(join(watch.root, '.hermes', 'watch'))).toBe(true)
})

it('runs what another process gave up', async () => {
  let release = (): void => undefined
  const watch = start(undefined, (root) => {
    const claim = new AppliedAnswers(root).claim(answerHash(ANSWER), 'run-1', '/in/a.md')
    if ('release' in claim) release = () => claim.release()
  })
  writeFileSync(join(watch.inbox, 'a.md'), ANSWER)
  await untilTrue(() => watch.said.length > 0)
  expect(watch.said).toEqual(['another process is running it (run run-1)'])
  release()
  await untilTrue(() => watch.ran.length === 1)
  watch.stop()
  await watch.ended
})
