import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { HermesEvent } from '../../../0-contracts/src/index.js'
import { execute, Hermes, type ExecutorOptions } from '../../src/index.js'

/**
 * An extension that follows the wire alone. `upper` writes capitals, `look` reads and changes nothing, `nothing` does not
 * even read, `die` ends; each process notes that it was started.
 */
const SOURCE = `
import { frame, readFrames } from ${JSON.stringify(new URL('../../test-data/extensions/frames.mjs', import.meta.url).href)}
import { appendFileSync } from 'node:fs'
appendFileSync(process.argv[2], process.pid + '\\n')
const announced = process.argv[3] === 'announced'
let id = 0
const waiting = new Map()
const send = message => process.stdout.write(frame(message))
const ask = (method, params) => new Promise(resolve => { waiting.set(++id, resolve); send({ id, method, params }) })
const commands = {
  async upper() {
    const { message } = await ask('editor/getMessage', {})
    await ask('editor/setMessage', { message: message.replace('old', 'OLD') })
  },
  async look() { await ask('editor/getMessage', {}) },
  nothing() {},
  die() { process.exit(7) },
}
process.stdin.on('end', () => process.exit(0))
readFrames(message => {
  if (message.method === 'initialize') send({ id: message.id, result: { version: '1.0', capabilities: { commands: Object.keys(commands), commandFinished: announced } } })
  else if (message.method === 'shutdown') { send({ id: message.id, result: null }); process.exit(0) }
  else if (message.method === 'command/execute') {
    void Promise.resolve(commands[message.params.command]()).then(() => announced && send({ method: 'command/finished', params: { executionId: message.params.executionId } }))
  } else if (message.id !== undefined) waiting.get(message.id)(message.result)
})
`
const ANSWER = '#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "/w/a.txt"\ncontent = "old"\n#!END_SHAM_abc\n'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function made(kind: 'announced' | 'quiet' = 'announced') {
  const root = tempDir()
  const program = join(tempDir(), 'extension.mjs')
  const starts = `${program}.starts`
  writeFileSync(program, SOURCE)
  const running = (run: string): ExecutorOptions => ({
    root, rootAliases: ['/w'], gitCommit: false,
    extensions: [{ name: 'shout', command: [process.execPath, program, starts, kind], run, quietMs: 200 }],
  })
  return { root, running, starts: () => readFileSync(starts, 'utf8').trim().split('\n'), written: () => (existsSync(join(root, 'a.txt')) ? readFileSync(join(root, 'a.txt'), 'utf8') : undefined) }
}

describe('extensions of a session', () => {
  it('work on an answer before it runs, and the result says what they made of it', async () => {
    const { running, written } = made()
    const result = await execute(ANSWER, running('upper'))
    const after = ANSWER.replace('old', 'OLD')
    expect(result).toMatchObject({ success: true, rewrites: [{ extension: 'shout', version: '1.0', command: 'upper', before: sha256(ANSWER), after: sha256(after) }] })
    expect(result.rewrites?.[0]?.diff).toBe('@@ -1,5 +1,5 @@\n #!SHAM [@three-char-SHA-256: abc]\n action = "file_write"\n path = "/w/a.txt"\n-content = "old"\n+content = "OLD"\n #!END_SHAM_abc\n')
    expect(written()).toBe('OLD')
  })

  it.each(['look', 'nothing'])('hold nothing up where they change nothing, also where no end is announced: %s', async run => {
    for (const kind of ['announced', 'quiet'] as const) {
      const { running, written } = made(kind)
      const result = await execute(ANSWER, running(run))
      expect(result).toMatchObject({ success: true, executedActions: 1 })
      expect(result).not.toHaveProperty('rewrites')
      expect(written()).toBe('old')
    }
  })

  it('are one process for all answers, streamed ones too, and gone with the session', async () => {
    const { running, starts, written } = made()
    const prepared: unknown[] = []
    const hermes = new Hermes({ ...running('upper'), onPrepared: (one) => prepared.push(one) })
    const both = await Promise.all([hermes.execute(ANSWER), hermes.execute(ANSWER)])
    expect(both.map(({ success, rewrites }) => [success, rewrites?.length])).toEqual([[true, 1], [true, 1]])
    const pieces = ANSWER.match(/[^]{1,7}/g) ?? []
    const events = []
    for await (const event of hermes.stream(pieces)) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'end', result: { success: true, rewrites: [{ extension: 'shout' }] } })
    expect(written()).toBe('OLD')
    const after = ANSWER.replace('old', 'OLD')
    expect(prepared).toMatchObject(Array.from({ length: 3 }, () => ({ original: ANSWER, text: after, texts: [after], rewrites: [{ extension: 'shout' }] })))
    await hermes[Symbol.asyncDispose]()
    expect(starts()).toHaveLength(1)
    expect(() => process.kill(Number(starts()[0]), 0)).toThrow('ESRCH')
  })

  it('that die let nothing run, and are started again, but not for ever', async () => {
    const { running, starts, written } = made()
    await using hermes = new Hermes(running('die'))
    for (let tries = 1; tries <= 4; tries++) {
      const result = await hermes.execute(ANSWER)
      expect(result).toMatchObject({ success: false, executedActions: 0, fatalError: expect.stringContaining("Extension 'shout' ended with 7 while it was needed") })
      expect(starts()).toHaveLength(tries)
    }
    expect((await hermes.execute(ANSWER)).fatalError).toContain("Extension 'shout' has failed 4 times in this session and is not started again. Mend it")
    expect(starts()).toHaveLength(4)
    expect(written()).toBeUndefined()
  })

  it('show the answer before it runs', async () => {
    const { running, written } = made()
    await using hermes = new Hermes(running('upper'))
    const prepared = await hermes.prepare(ANSWER)
    expect(prepared).toMatchObject({ original: ANSWER, text: ANSWER.replace('old', 'OLD'), notes: ['extension shout: changed the text'] })
    expect(written()).toBeUndefined()
    let told: unknown
    const onEvent = (event: HermesEvent): void => {
      if (event.type === 'end') told = event.result.rewrites
    }
    const result = await hermes.execute(prepared.text, { prepared, onEvent })
    expect(result).toMatchObject({ success: true, rewrites: [{ extension: 'shout' }] })
    expect(told).toEqual(result.rewrites)
    expect(written()).toBe('OLD')
  })

  it('are not started where the policy lets nothing run', async () => {
    const { root, running, starts } = made()
    writeFileSync(join(root, 'hermes.yaml'), 'extensions: {}\n')
    expect(await execute(ANSWER, running('upper'))).toMatchObject({ success: false, executedActions: 0, fatalError: expect.stringContaining("extensions is the user's to set") })
    expect(starts).toThrow('ENOENT')
  })

  it('that nobody knows are named', async () => {
    const { root } = made()
    expect(await execute(ANSWER, { root, rootAliases: ['/w'], extensions: ['nobody-has-it'] })).toMatchObject({ success: false, executedActions: 0, fatalError: expect.stringContaining('Unknown extension: nobody-has-it') })
    await expect(execute(ANSWER, { extensions: [{ name: 'x' } as never] })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
