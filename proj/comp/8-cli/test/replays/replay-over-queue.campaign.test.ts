import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { content, conversation, reads } from '../../../../test/support/conversations.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { describeWithRedis } from '../../../../test/support/redis.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { command, settled, useReplayQueue } from './replay-queue.js'

const cli = useCli()

describeWithRedis('hermes replay --queue', (redis) => {
  const { start, worker, status } = useReplayQueue(cli, redis)

  it('reports what a replay on this machine does: drifts, trees, mappings, training data, and --update', async () => {
    const [cwd, store] = [tempDir(), tempDir()]
    writeTree(cwd, {
      'fixture/a': 'new\n', 'fixture/d/b': 'B', 'expected/a': 'new\n', 'expected/d/b': 'changed',
      'm.yaml': 'extends: [common]\ntools:\n  show: { verb: fs.readFile, arguments: { path: file }, result: { text: [content], after: "> " } }\nnormalize:\n  - { pattern: "b[0-9]+", with: "<b>", in: all }\n',
      't.jsonl': [
        reads('a', content('new\n')), reads('a', content('old\n')), reads('b', content('x')), reads('a', content('new\n')),
        conversation({ name: 'show', arguments: { file: 'd/b' } }, '> B'), conversation({ name: 'show', arguments: { file: 'd/b', more: 1 } }, 'x'),
        conversation({ name: 'fs.writeFile', arguments: { path: 'c', content: 'x'.repeat(100_000) } }, { success: true, data: {} }), 'no json',
      ].join('\n'),
    })
    symlinkSync('a', join(cwd, 'fixture', 'link'))
    const args = ['replay', 't.jsonl', '--fixture', 'fixture', '--expect', 'expected', '--mapping', 'm.yaml', '--json']
    const here = await cli.run([...args, '--export', 'here.jsonl'], { cwd })
    await worker('--store', store)
    const there = await cli.run([...args, '--export', 'there.jsonl', '--queue', redis.url, '--store', store], { cwd })
    expect(there.stderr).toBe('')
    expect(settled(there.stdout)).toEqual(settled(here.stdout))
    expect([there.exitCode, here.exitCode]).toEqual([1, 1])
    expect(JSON.parse(there.stdout)).toMatchObject({ transcripts: 7, bad: 1, errors: 0 })
    const lines = (file: string) => readFileSync(join(cwd, file), 'utf8').trimEnd().split('\n').sort()
    expect(lines('there.jsonl')).toEqual(lines('here.jsonl'))
    expect(await status()).toMatchObject({ waiting: 0, active: 0, done: 0, failed: 0, workers: 1 })

    const updated = await cli.run(['replay', 't.jsonl', '--fixture', 'fixture', '--mapping', 'm.yaml', '--update', '--queue', redis.url, '--store', store], { cwd })
    expect(updated.stderr).toContain('Rewrote 2 results in 1 file')
    expect(readFileSync(join(cwd, 't.jsonl'), 'utf8')).not.toContain('old')

    const without = await cli.run([...args, '--queue', redis.url], { cwd })
    expect(without).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('"success": false') })
    expect(without.stderr).toContain('The fixture goes by a store, and none is given')
  })

  it('never gets more than the worker was started with, and finds none of its secrets', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': command('echo "$AWS_SECRET_ACCESS_KEY$HERMES_QUEUE_PASSWORD$PPID" | grep -q geheim && exit 3; true') })
    const replay = (...flags: string[]) => cli.run(['replay', 't.jsonl', '--queue', redis.url, '--json', ...flags], { cwd })
    const careful = await worker()
    const { stdout, exitCode } = await replay('--sandbox', 'none')
    expect(JSON.parse(stdout)).toMatchObject({ reports: [{ error: { code: 'POLICY_DENIED', message: expect.stringContaining('--sandbox none') } }] })
    expect(exitCode).toBe(1)
    careful.child.kill('SIGINT')
    expect(await careful.ended).toBe(130)
    await worker('--sandbox', 'none', '--toolset', 'execute')
    expect(JSON.parse((await replay('--sandbox', 'none')).stdout)).toMatchObject({ drifted: 0, counts: { same: 1 } })
    expect(JSON.parse((await replay('--toolset', 'edit')).stdout)).toMatchObject({ reports: [{ error: { code: 'POLICY_DENIED' } }] })
  })

  it('and its worker, interrupted in the middle, leave no process and no directory, and lose nothing', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': command('sleep 600') })
    const first = start(['worker', '--queue', redis.url, '--sandbox', 'none'], cwd, { TMPDIR: cwd })
    await first.until('Takes transcripts')
    const replay = start(['replay', 't.jsonl', '--queue', redis.url, '--sandbox', 'none', '--timeout', '1000'], cwd)
    while ((await status()).active !== 1) await sleep(20)
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    expect(readdirSync(cwd)).toEqual(['t.jsonl'])
    expect(await status()).toMatchObject({ waiting: 1, active: 0 })
    replay.child.kill('SIGINT')
    expect(await replay.ended).toBe(130)
    expect(await status()).toMatchObject({ waiting: 0, active: 0 })
  })

  it('says at the start what is wrong with the flags', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': reads('a', content('x')), 'f/a\\b.txt': 'x' })
    const failures: [string[], string][] = [
      [['worker', '--toolset', 'nope'], 'Unknown toolset: nope'],
      [['worker', '--store', 'nowhere'], 'There is no directory nowhere for --store'],
      [['replay', 't.jsonl', '--git', 'HEAD'], '--git does not go by a queue'],
      [['replay', 't.jsonl', '--fixture', 'f', '--store', 's'], String.raw`f/a\b.txt is not portable`],
    ]
    const ended = await Promise.all(failures.map(([args]) => cli.run([...args, '--queue', redis.url], { cwd })))
    for (const [index, { exitCode, stderr }] of ended.entries()) {
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(failures[index]?.[1] ?? '')])
    }
    expect(await status()).toMatchObject({ waiting: 0 })
  })

  it('keeps a refusal by a worker out of the run, and a second process too', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': command('true') })
    const args = ['replay', 't.jsonl', '--queue', redis.url, '--sandbox', 'none', '--run', 'r', '--json']
    const careful = await worker()
    expect(JSON.parse((await cli.run(args, { cwd })).stdout)).toMatchObject({ errors: 1, reports: [{ error: { code: 'POLICY_DENIED' } }] })
    careful.child.kill('SIGINT')
    await careful.ended

    const waiting = start([...args, '--resume'], cwd)
    while ((await status()).waiting === 0) await sleep(20)
    const second = await cli.run([...args, '--resume'], { cwd })
    expect(second).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('"success": false') })
    expect(second.stderr).toContain(`Another replay works in the run ${join('data', 'r')} (process ${waiting.child.pid})`)
    await worker('--sandbox', 'none')
    expect(await waiting.ended).toBe(0)
    expect(JSON.parse(waiting.said().slice(waiting.said().indexOf('{\n')))).toMatchObject({ transcripts: 1, errors: 0 })
  })

  it('speaks TLS', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': reads('a', content('x')) })
    const pem = (name: string) => fileURLToPath(new URL(`../../../7-queue/test-data/replay-queue/localhost-${name}.pem`, import.meta.url))
    const server = createServer({ cert: readFileSync(pem('cert')), key: readFileSync(pem('key')) }, (socket) => {
      const plain = connect(redis.port, '127.0.0.1')
      socket.pipe(plain).pipe(socket)
      for (const one of [socket, plain]) one.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const args = ['replay', '--queue', `rediss://127.0.0.1:${port}`, '--queue-status', '--json']
    expect((await cli.run(args, { cwd })).stderr).toContain(`The queue rediss://127.0.0.1:${port}/0 cannot be used (DEPTH_ZERO_SELF_SIGNED_CERT)`)
    const { stdout } = await cli.run(args, { cwd, env: { NODE_EXTRA_CA_CERTS: pem('cert') } })
    expect(JSON.parse(stdout)).toMatchObject({ queue: `rediss://127.0.0.1:${port}/0` })
    server.close()
  })
})
