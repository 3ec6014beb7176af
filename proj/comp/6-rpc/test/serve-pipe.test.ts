import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { FOREVER, isAlive, listening, pidOf, toolCall } from './clients.js'

const cli = useCli()

describe.skipIf(process.platform === 'win32')('a socket', () => {
  it('is for its owner, serves several clients in one root, and ends one alone', async () => {
    const root = tempDir()
    const path = join(tempDir(), 'hermes.sock')
    const { child, line } = await listening(cli, root, ['--pipe', path, '--sandbox', 'none'])
    expect(line).toBe(`hermes: listening at ${path}\n`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const [one, other] = [await clientAt(path), await clientAt(path)]
    for (const client of [one, other]) await client.sendRequest('initialize', {})
    await expect((await clientAt(path)).sendRequest('initialize', { workspaceRoot: '/' })).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } })
    const begun = one.sendRequest('execute', { text: FOREVER }).catch(() => undefined)
    const pid = await pidOf(join(root, 'pid'))
    const waiting = other.sendRequest('execute', { text: toolCall('write_file', { path: 'a.txt', content: 'x' }) })
    one.end()
    one.dispose()
    await begun
    expect(await waiting).toMatchObject({ success: true })
    expect(isAlive(pid)).toBe(false)

    const second = await cli.run(['serve', '--pipe', path], { cwd: root })
    expect(second).toMatchObject({ exitCode: 2, stderr: `hermes: Another server listens at ${path}\n  Use that one, or name another path.\n` })
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(143)
    expect(existsSync(path)).toBe(false)
  })

  it('leaves the socket of another server alone when it ends', async () => {
    const root = tempDir()
    const path = join(tempDir(), 'hermes.sock')
    const { child } = await listening(cli, root, ['--pipe', path])
    rmSync(path)
    await listening(cli, root, ['--pipe', path])
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(await (await clientAt(path)).sendRequest('initialize', {})).toMatchObject({ workspaceRoot: root })
    expect(readdirSync(dirname(path))).toEqual(['hermes.sock'])
  })

  it('replaces one that was left behind, and nothing else', async () => {
    const root = tempDir()
    const path = join(tempDir(), 'hermes.sock')
    const killed = await listening(cli, root, ['--pipe', path])
    killed.child.kill('SIGKILL')
    await once(killed.child, 'exit')
    expect(existsSync(path)).toBe(true)
    await listening(cli, root, ['--pipe', path])
    expect(await (await clientAt(path)).sendRequest('initialize', {})).toMatchObject({ workspaceRoot: root })
    const file = join(dirname(path), 'file')
    writeFileSync(file, 'mine')
    expect(await cli.run(['serve', '--pipe', file], { cwd: root })).toMatchObject({ exitCode: 2 })
    expect(existsSync(file)).toBe(true)
    const long = join(root, 'x'.repeat(108))
    const refused = await cli.run(['serve', '--pipe', long], { cwd: root })
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^hermes: The path of a socket has at most \d+ bytes, this one \d+/) as string })
  })
})

async function clientAt(path: string): Promise<MessageConnection> {
  const socket = connect(path)
  await once(socket, 'connect')
  onTestFinished(() => { socket.destroy() })
  const client = createMessageConnection(socket, socket)
  client.listen()
  return client
}
