import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes, type ExecutorOptions } from '../../src/index.js'

/**
 * An extension in Node alone that takes one command after the other and writes capitals: at once; never, for texts with
 * `slow` that it keeps until a file lets it go on; all in one piece with the end of the command; or with its own end.
 */
const SOURCE = `
import { frame, readFrames } from ${JSON.stringify(new URL('../../test-data/extensions/frames.mjs', import.meta.url).href)}
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const [kind, go] = process.argv.slice(2)
appendFileSync(go + '.starts', process.pid + '\\n')
let id = 0, last = Promise.resolve()
const waiting = new Map()
const send = message => process.stdout.write(frame(message))
const ask = (method, params) => new Promise(resolve => { waiting.set(++id, resolve); send({ id, method, params }) })
async function carryOut({ executionId }) {
  const end = { method: 'command/finished', params: { executionId } }
  const { message, revision } = (await ask('editor/getMessage', {})).result
  if (kind === 'pieces') {
    const patches = Array.from({ length: 1000 }, (_, i) => ({ path: 'abc.content', value: 'PATCHED ' + i }))
    process.stdout.write(Buffer.concat([frame({ id: ++id, method: 'editor/patchMessage', params: { patches } }), frame(end)]))
    return
  }
  if (message.includes('slow')) {
    appendFileSync(go + '.reached', 'x')
    while (!existsSync(go)) await sleep(5)
  }
  const given = kind === 'revision' ? { revision } : {}
  const answer = await ask('editor/setMessage', { message: message.replace(/"(slow|old)/g, text => text.toUpperCase()), ...given })
  appendFileSync(go + '.answers', (answer.result ? 'taken' : answer.error.code) + '\\n')
  if (kind !== 'quiet' && kind !== 'revision') send(end)
  if (kind === 'once') process.exit(0)
}
process.stdin.on('end', () => process.exit(0))
readFrames(message => {
  if (message.method === 'initialize') send({ id: message.id, result: { capabilities: { commands: ['go'], commandFinished: kind !== 'quiet' && kind !== 'revision' } } })
  else if (message.method === 'shutdown') { send({ id: message.id, result: null }); process.exit(0) }
  else if (message.method === 'command/execute') last = last.then(() => carryOut(message.params))
  else if (message.id !== undefined) waiting.get(message.id)?.(message)
})
`
const answer = (name: string, content: string): string => (
  `#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "/w/${name}"\ncontent = "${content}"\n#!END_SHAM_abc\n`
)

type Kind = 'once' | 'pieces' | 'quiet' | 'revision' | 'waits'

function made(kind: Kind, options: ExecutorOptions = {}) {
  const [root, directory] = [tempDir(), tempDir()]
  const [program, go] = [join(directory, 'extension.mjs'), join(directory, 'go')]
  writeFileSync(program, SOURCE)
  const command = [process.execPath, program, kind, go]
  const hermes = new Hermes({
    root, rootAliases: ['/w'], gitCommit: false, extensions: [{ name: 'turns', command, run: 'go', quietMs: 300 }], ...options,
  })
  const noted = (what: string): string[] => (existsSync(`${go}.${what}`) ? readFileSync(`${go}.${what}`, 'utf8').trim().split('\n') : [])
  return {
    hermes, noted,
    letGo: () => writeFileSync(go, ''),
    reached: async () => {
      await expect.poll(() => noted('reached'), { timeout: 20_000 }).not.toEqual([])
    },
    written: () => Object.fromEntries(readdirSync(root).filter((name) => name.endsWith('.txt')).map((name) => [name, readFileSync(join(root, name), 'utf8')])),
  }
}

describe('answers of a session', () => {
  it('are not taken for a cancelled one that the extension still works on', async () => {
    const { hermes, letGo, reached, written, noted } = made('waits')
    await using _ = hermes
    const cancelled = new AbortController()
    const first = hermes.execute(answer('a.txt', 'slow'), { signal: cancelled.signal })
    await reached()
    cancelled.abort()
    expect(await first).toMatchObject({ success: false, executedActions: 0 })
    const second = hermes.execute(answer('b.txt', 'old'))
    letGo()
    expect(await second).toMatchObject({ success: true, rewrites: [{ extension: 'turns' }] })
    expect(written()).toEqual({ 'b.txt': 'OLD' })
    expect(noted('starts')).toHaveLength(2)
  })

  it('go to another process where the time limit of the one before was up', async () => {
    const { hermes, written, noted } = made('waits', { extensionLimitMs: 1500 })
    await using _ = hermes
    expect((await hermes.execute(answer('a.txt', 'slow'))).fatalError).toContain('was not done with go within 1.5 s')
    expect(await hermes.execute(answer('b.txt', 'old'))).toMatchObject({ success: true })
    expect(written()).toEqual({ 'b.txt': 'OLD' })
    expect(noted('starts')).toHaveLength(2)
  })

  it.each(['quiet', 'revision'] as const)('are not changed by what comes too late for the one before: %s', async (kind) => {
    const { hermes, letGo, reached, written, noted } = made(kind)
    await using _ = hermes
    const first = hermes.execute(answer('a.txt', 'slow'))
    await reached()
    expect(await first).toMatchObject({ success: true })
    const second = hermes.execute(answer('b.txt', 'old'))
    letGo()
    const result = await second
    expect(result).toMatchObject({ success: true, warnings: [expect.stringContaining('changed the answer when its command had ended')] })
    expect(written()).toEqual({ 'a.txt': 'slow', 'b.txt': 'OLD' })
    expect(noted('answers')[0]).toBe('-32000')
  })

  it('have the changes that came before the end of the command, in one piece with it too', async () => {
    const { hermes, written } = made('pieces')
    await using _ = hermes
    expect(await hermes.execute(answer('a.txt', 'old'))).toMatchObject({ success: true, rewrites: [{ extension: 'turns' }] })
    expect(written()).toEqual({ 'a.txt': 'PATCHED 999' })
  })

  it('come to an extension that ends after each command, many at once too', async () => {
    const { hermes, written, noted } = made('once')
    await using _ = hermes
    const names = ['a', 'b', 'c', 'd']
    const results = await Promise.all(names.map((name) => hermes.execute(answer(`${name}.txt`, 'old'))))
    expect(results.map(({ success, fatalError, rewrites }) => [success, fatalError, rewrites?.length])).toEqual(names.map(() => [true, undefined, 1]))
    expect(Object.values(written())).toEqual(names.map(() => 'OLD'))
    expect(noted('starts')).toHaveLength(4)
  })

  it('that wait for an extension can be cancelled', async () => {
    const { hermes, letGo, reached, written } = made('waits')
    await using _ = hermes
    const first = hermes.execute(answer('a.txt', 'slow'))
    await reached()
    const cancelled = new AbortController()
    const second = hermes.execute(answer('b.txt', 'old'), { signal: cancelled.signal })
    cancelled.abort()
    expect(await second).toMatchObject({ success: false, executedActions: 0 })
    letGo()
    expect(await first).toMatchObject({ success: true })
    expect(written()).toEqual({ 'a.txt': 'SLOW' })
  })
})
