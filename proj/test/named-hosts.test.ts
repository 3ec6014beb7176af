import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { orNothing } from '../comp/0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../comp/5-executor/src/executor/index.js'
import type { ActionResult, ExecutionResult } from '../src/index.js'
import { plainEnvironment } from './support/cli.js'
import { needing, type Need } from './support/needs.js'
import { useProgram } from './support/program.js'
import { tempDir } from './support/temp-dir.js'

const MODES: readonly { mode: 'bwrap' | 'unshare'; needs: readonly Need[] }[] = [
  { mode: 'bwrap', needs: ['bubblewrap'] }, { mode: 'unshare', needs: ['namespaces'] },
]
/** `nobody`: root may do what others may not. */
const USER = 65534
const IMPORTS = 'import socket'

for (const { mode, needs } of MODES) needing(...needs).describe(`in the sandbox ${mode}`, () => {
  it('usual programs reach the named hosts, and no others', async () => {
    const [named, other] = [await website('named'), await website('other')]
    const { run } = session(mode, [`127.0.0.1:${named.port}`])
    for (const command of [
      `curl -sS ${named.url}/a`, `wget -qO- ${named.url}/b`,
      `python3 -c 'import urllib.request; print(urllib.request.urlopen("${named.url}/c").read().decode())'`,
      `git ls-remote ${named.url}/repository.git`,
      // What a tunnel carries is read by nobody.
      `curl -sS --proxytunnel ${named.url}/d`,
    ]) expect(await run(command), command).toMatchObject({ success: true, data: { stdout: expect.stringMatching(/named|refs/) as unknown } })
    const denied = await run(`curl -sS --fail ${other.url}/; curl -sS --fail http://api.example.org/; curl -sS https://api.example.org/; exit 3`)
    expect(denied).toMatchObject({
      success: false, code: 'NONZERO_EXIT',
      data: { sandbox: mode, network: { hosts: [`127.0.0.1:${named.port}`], denied: expect.arrayContaining(['api.example.org']) as unknown } },
      hint: expect.stringMatching(/it asked for .*api\.example\.org, which the user has not named \(/) as unknown,
    })
    // One that succeeds all the same says so too; the next one is not told of it again.
    expect(await run('curl -s https://a.example.org; true')).toMatchObject({
      success: true, hint: expect.stringContaining('a.example.org') as unknown, data: { network: { denied: ['a.example.org'] } },
    })
    const quiet = await run('true')
    expect(quiet?.data).toEqual({ stdout: '', stderr: '', sandbox: mode, exit_code: 0, network: { hosts: [`127.0.0.1:${named.port}`] } })
    expect(other.asked).toEqual([])
  })

  it('there is no other way out', async () => {
    const web = await website('named')
    const told: string[] = []
    const udp = createSocket('udp4').on('message', message => told.push(String(message)))
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    onTestFinished(() => void udp.close())
    const name = `hermes-test-${process.pid}-${mode}`
    const holder = spawn('python3', ['-c', [
      'import socket, sys', 's = socket.socket(socket.AF_UNIX)', `s.bind("\\0${name}"); s.listen()`, 'print("up", flush=True); sys.stdin.read()',
    ].join('\n')], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void holder.kill())
    await once(holder.stdout, 'data')
    const { run } = session(mode, [`127.0.0.1:${web.port}`])
    const program = `${IMPORTS}
def attempt(what):
    try: print(what(), flush=True)
    except OSError as error: print('refused', flush=True)
def tcp(family, address):
    s = socket.socket(family); s.settimeout(5); s.connect(address); return 'connected'
attempt(lambda: tcp(socket.AF_INET, ('127.0.0.1', ${web.port})))
attempt(lambda: tcp(socket.AF_INET, ('1.1.1.1', 443)))
attempt(lambda: tcp(socket.AF_INET6, ('::1', ${web.port})))
attempt(lambda: tcp(socket.AF_UNIX, '\\0${name}'))
attempt(lambda: socket.getaddrinfo('example.org', 443))
attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
attempt(lambda: s.sendto(b'out', ('1.1.1.1', 53)))
attempt(lambda: s.sendto(b'out', ('127.0.0.1', ${udp.address().port})) and 'sent')
print(sorted(line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]))
`
    const { data } = await call(run, 'exec', { lang: 'python', code: program })
    expect((data as { stdout: string }).stdout.split('\n')).toEqual([...Array.from({ length: 8 }, () => 'refused'), 'sent', "['lo']", ''])
    expect(told).toEqual([])
    expect(web.asked).toEqual([])
  })

  it('a session reaches its own hosts alone, whatever others reach at the same time', async () => {
    const [one, other] = [await website('one'), await website('other')]
    const sessions = [session(mode, [`127.0.0.1:${one.port}`]), session(mode, [`127.0.0.1:${other.port}`])]
    const look = `curl -s --fail ${one.url}/ && echo; curl -s --fail ${other.url}/; true`
    const results = await Promise.all(sessions.map(async ({ run }) => run(look)))
    expect(results.map(result => (result?.data as { stdout?: string } | undefined)?.stdout?.trim())).toEqual(['one', 'other'])
    const closed = session(mode, false)
    expect((await closed.run(`${look}; env | grep -i proxy`))?.data).toMatchObject({ stdout: '' })
  })

  it('servers that commands start are asked directly', async () => {
    const { run } = session(mode, ['example.org'])
    const { data } = await call(run, 'execute_command', {
      command: 'python3 -m http.server 8123 --bind 127.0.0.1 >log 2>&1 & until curl -s http://localhost:8123/ >page; do sleep 0.1; done; grep -c Directory page',
    })
    expect((data as { stdout: string }).stdout).toMatch(/^[1-9]/)
  })

  it('hooks of a commit and hooks of the policy reach the same hosts', async () => {
    const [named, other] = [await website('named'), await website('other')]
    const look = `curl -s --fail ${named.url}/; curl -s --fail ${other.url}/; true`
    const { run, root } = session(mode, [`127.0.0.1:${named.port}`], {
      policy: { hooks: { after: [{ run: `(${look}) > hook.txt` }] } },
    })
    for (const args of [['init', '-q', '-b', 'main'], ['config', 'user.name', 'a'], ['config', 'user.email', 'a@example.org']]) {
      execFileSync('git', args, { cwd: root })
    }
    mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
    writeFileSync(join(root, '.git', 'hooks', 'pre-commit'), `#!/bin/sh\n(${look}) > commit.txt\n`)
    chmodSync(join(root, '.git', 'hooks', 'pre-commit'), 0o755)
    writeFileSync(join(root, 'a.txt'), 'a')
    expect(await call(run, 'git_commit', { message: 'first', files: ['a.txt'] })).toMatchObject({ success: true })
    expect(readFileSync(join(root, 'commit.txt'), 'utf8')).toBe('named')
    expect(readFileSync(join(root, 'hook.txt'), 'utf8')).toBe('named')
    expect(other.asked).toEqual([])
  })

  it('as an unprivileged user', async () => {
    const [named, other] = [await website('named'), await website('other')]
    const result = await asUser(mode, [`127.0.0.1:${named.port}`], `id -u; curl -s --fail ${named.url}/; curl -s --fail ${other.url}/; true`)
    const uid = process.getuid?.() === 0 ? USER : process.getuid?.()
    expect(result.results).toMatchObject([{ success: true, data: { sandbox: mode, stdout: `${uid}\nnamed` } }])
    expect(other.asked).toEqual([])
  })

  it('nothing is left of a hermes that was killed', async () => {
    const named = await website('named')
    const mark = `8${process.pid}.${mode.length}`
    const running = startAsUser(mode, [`127.0.0.1:${named.port}`], `curl -s ${named.url}/begun; sleep ${mark}`)
    await vi.waitFor(() => expect([named.asked, livingWith(mark)]).toEqual([['/begun'], 1]), 60_000)
    running.kill('SIGKILL')
    await vi.waitFor(() => expect(livingWith(mark)).toBe(0), 30_000)
  })
})

needing('bubblewrap').it('what a command left running keeps to the hosts, and ends with the session', async () => {
  const named = await website('named')
  const { run, hermes } = session('bwrap', [`127.0.0.1:${named.port}`])
  const mark = `7${process.pid}.5`
  await run(`(while true; do curl -s ${named.url}/left; curl -s http://example.org; sleep 0.1; done; sleep ${mark}) >/dev/null 2>&1 & sleep ${mark} >/dev/null 2>&1 &`)
  await vi.waitFor(() => expect(named.asked).toContain('/left'), 20_000)
  expect(livingWith(mark)).toBe(1)
  await hermes[Symbol.asyncDispose]()
  expect(livingWith(mark)).toBe(0)
  named.asked.length = 0
  await new Promise(resolve => setImmediate(resolve))
  expect(named.asked).toEqual([])
})

needing('bubblewrap', 'node-pty').it('shells reach the same hosts', async () => {
  const [named, other] = [await website('named'), await website('other')]
  const { run } = session('bwrap', [`127.0.0.1:${named.port}`])
  const result = await call(run, 'terminal_run', { command: `curl -s --fail ${named.url}/; curl -s --fail ${other.url}/; curl -s http://example.org >/dev/null; true` })
  expect(result).toMatchObject({
    success: true, data: { output: 'named', network: { hosts: [`127.0.0.1:${named.port}`], denied: [`127.0.0.1:${other.port}`, 'example.org'] } },
    hint: expect.stringContaining('example.org') as unknown,
  })
  expect((await call(run, 'terminal_run', { command: 'true' })).data).toMatchObject({ network: { hosts: [`127.0.0.1:${named.port}`] } })
})

it('where nothing holds commands to hosts, a run for which they were named does not begin', async () => {
  const { execute, root } = session('none', ['example.org'])
  const result = await execute('file_write', { path: join(root, 'a.txt'), content: 'a' })
  expect(result).toMatchObject({ success: false, executedActions: 0, fatalError: expect.stringMatching(/\(example\.org\) is refused: nothing here holds/) as unknown })
  expect(existsSync(join(root, 'a.txt'))).toBe(false)
})

it.each([{ backend: 'docker', docker_image: 'none' }, { backend: 'ssh' }] as const)('nor in %j', async (terminal) => {
  const { execute } = session('auto', ['example.org'], { policy: { terminal } })
  expect(await execute('execute_command', { command: 'echo ran' })).toMatchObject({ success: false, executedActions: 0 })
})

it('where a policy names them, commands alone do not run', async () => {
  const { execute, root } = session('none', undefined, { policy: { sandbox: 'none', verbs: { network: ['example.org'] } } })
  expect(await execute('file_write', { path: join(root, 'a.txt'), content: 'a' })).toMatchObject({ success: true })
  const { results } = await execute('execute_command', { command: 'echo ran > b.txt' })
  expect(results).toMatchObject([{ success: false, code: 'NETWORK_NOT_HELD' }])
  expect(existsSync(join(root, 'b.txt'))).toBe(false)
})

type Run = (command: string, verb?: string, args?: object) => Promise<ActionResult | undefined>

function session(sandbox: 'auto' | 'bwrap' | 'unshare' | 'none', network: ExecutorOptions['network'], more: ExecutorOptions = {}) {
  const root = tempDir()
  const hermes = new Hermes({
    root, policy: false, gitCommit: false, sandbox, approve: () => 'once', ...(network !== undefined && { network }), ...more,
  })
  onTestFinished(() => hermes[Symbol.asyncDispose]())
  const execute = async (name: string, args: object) => (
    hermes.execute(`<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`)
  )
  const run: Run = async (command, verb = 'execute_command', args = { command }) => {
    const { results, fatalError } = await execute(verb, args)
    if (fatalError !== undefined) throw new Error(fatalError)
    return results[0]
  }
  return { root, hermes, execute, run }
}

async function call(run: Run, verb: string, args: object): Promise<ActionResult> {
  const result = await run('', verb, args)
  if (result?.success !== true) throw new Error(`${result?.error}\n${result?.hint}\n${JSON.stringify(result?.data)}`)
  return result
}

const child = useProgram(new URL('../comp/5-executor/test/executor/run-as-child.ts', import.meta.url))

function startAsUser(sandbox: string, network: readonly string[], command: string) {
  const [root, HOME] = [tempDir(), tempDir()]
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const directory of [root, HOME]) chownSync(directory, USER, USER)
  const answer = `<tool_call>${JSON.stringify({ name: 'execute_command', arguments: { command } })}</tool_call>\n`
  const running = spawn(process.execPath, [child.path], {
    cwd: '/', stdio: 'pipe', ...(isRoot && { uid: USER, gid: USER }),
    env: { ...plainEnvironment(), HOME, PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  running.stdin.end(JSON.stringify({ answer, options: { root, sandbox, network, gitCommit: false } }))
  return running
}

async function asUser(...args: Parameters<typeof startAsUser>): Promise<ExecutionResult> {
  const running = startAsUser(...args)
  const [stdout, stderr] = await Promise.all([text(running.stdout), text(running.stderr)])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as ExecutionResult
}

/** A server on the loopback of this machine, which says its name and is a repository too. */
async function website(name: string): Promise<{ port: number; url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createHttp(({ url = '' }, response) => {
    asked.push(url)
    if (url.startsWith('/repository.git/info/refs')) response.end(`${'1'.repeat(40)}\trefs/heads/main\n`)
    else if (url === '/repository.git/HEAD') response.end('ref: refs/heads/main\n')
    else response.end(name)
  })
  const port = await listening(server)
  return { port, url: `http://127.0.0.1:${port}`, asked }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}

function livingWith(mark: string): number {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name))
    .filter(pid => orNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'), '').startsWith(`sleep\0${mark}\0`)).length
}
