import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listening, toolCall } from './clients.js'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()

/** A root and an allowed directory, and beside them links that lead there. */
function place(): { base: string; root: string; flags: string[] } {
  const base = tempDir()
  const [root, allow] = [join(base, 'root'), join(base, 'allow')]
  for (const directory of [root, allow, join(base, 'outside')]) mkdirSync(directory)
  symlinkSync(root, join(base, 'to-root'))
  symlinkSync(allow, join(base, 'to-allow'))
  symlinkSync(join(base, 'outside'), join(root, 'to-outside'))
  return { base, root, flags: ['--root', join(base, 'to-root'), '--allow', join(base, 'to-allow')] }
}

const SERVERS: readonly [server: string, ...flags: string[]][] = [
  ['serve', '--pipe'], ['serve', '--http', '127.0.0.1:0', '--token-file'], ['mcp', '--http', '127.0.0.1:0', '--token-file'],
]

describe.skipIf(process.platform === 'win32').each(SERVERS)('hermes %s %s', (...server) => {
  it.each(['root/s', 'root/./to-outside/s', 'to-root/s', 'allow/s', 'to-allow/s'])('takes no %s, which commands could use', async (name) => {
    const { base, flags } = place()
    const refused = await cli.run([...server, name, ...flags], { cwd: base, env: { HOME: tempDir() } })
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('where commands work') as string })
    for (const directory of ['root', 'allow', 'outside']) expect(readdirSync(join(base, directory))).not.toContain('s')
  })

  it('says where it may be', async () => {
    const { root } = place()
    const home = tempDir()
    const { exitCode, stderr } = await cli.run([...server, 's', '--root', '.'], { cwd: root, env: { HOME: home } })
    const kind = server[1] === '--pipe' ? 'socket' : 'token'
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`hermes: The ${kind} s is in ${root}, where commands work: they could use it\n`
      + `  Name a path outside of the root and the --allow directories, e.g. ${home}/.hermes/serve.${kind === 'socket' ? 'sock' : kind}.\n`)
    const inHome = await cli.run([...server, 's'], { cwd: home, env: { HOME: home } })
    expect(inHome.stderr).toContain('  Name a path outside of the root and the --allow directories.\n')
  })
})

it.skipIf(process.platform === 'win32')('a token in ~/.hermes is masked in what runs show', async () => {
  const { base, root } = place()
  const file = join(base, '.hermes/serve.token')
  const { line } = await listening(cli, base, ['--http', '127.0.0.1:0', '--token-file', file, '--root', root, '--sandbox', 'none', '--no-git'])
  expect(statSync(join(base, '.hermes')).mode & 0o777).toBe(0o700)
  const token = readFileSync(file, 'utf8').trim()
  const url = /at (\S+)/.exec(line)?.[1] ?? ''
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  const send = async (method: string, params: object): Promise<Response> => fetch(url, {
    method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  headers['hermes-session'] = (await send('initialize', {})).headers.get('hermes-session') ?? ''
  const answer = await (await send('execute', { text: toolCall('execute_command', { command: `cat ${file}` }) })).text()
  expect(answer).toContain('[masked SERVER_TOKEN]')
  expect(answer).not.toContain(token)
  expect(existsSync(join(root, 'serve.token'))).toBe(false)
})
