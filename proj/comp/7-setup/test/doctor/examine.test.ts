import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { checkConfig } from '../../src/doctor/checks/config.js'
import { checkGit } from '../../src/doctor/checks/git.js'
import { checkInterpreters } from '../../src/doctor/checks/interpreters.js'
import { NODE_NEEDED } from '../../src/doctor/checks/node.js'
import { checkQueue } from '../../src/doctor/checks/queue.js'
import { checkRoot } from '../../src/doctor/checks/root.js'
import { checkSandbox, sandboxFindings } from '../../src/doctor/checks/sandbox.js'
import { examine, type Finding } from '../../src/doctor/index.js'

const { signal } = new AbortController()

/** A home and a root of its own. */
function place(): { home: string; root: string } {
  const directory = tempDir()
  const [home, root] = [join(directory, 'home'), join(directory, 'project')]
  mkdirSync(home)
  mkdirSync(root)
  vi.stubEnv('HOME', home)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return { home, root }
}

/** A PATH with these programs alone. */
function onlyPrograms(...names: readonly string[]): void {
  const directory = tempDir()
  for (const name of names) symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(directory, name))
  vi.stubEnv('PATH', directory)
}

const brief = (findings: readonly Finding[]): string[] => findings.map(({ id, status }) => `${id}: ${status}`)

needing('bubblewrap', 'ruby').it('all of it: every finding that is not ok says what to do, and nothing is left behind', async () => {
  const { root } = place()
  const temporary = tempDir()
  vi.stubEnv('TMPDIR', temporary)
  vi.stubEnv('PATH', `${process.env['PATH'] ?? ''}:bin`)
  const findings = await examine({ root, signal })
  expect(new Set(findings.map(({ id }) => id))).toEqual(new Set([
    'node', 'git', 'git-root', 'path', 'interpreter-bash', 'interpreter-python', 'interpreter-ruby', 'sandbox', 'hosts',
    'root', 'state', 'config', 'agent', 'ripgrep', 'tree-sitter', 'typescript', 'terminals',
  ]))
  expect(findings.filter(({ status, fix }) => (status === 'ok') !== (fix === undefined))).toEqual([])
  expect(findings.filter(({ status }) => status !== 'ok').map(({ id }) => id)).toEqual(['git-root', 'agent', 'path'])
  expect(readdirSync(root)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})

it('says that hermes is better installed outside of the root', async () => {
  const findings = await checkRoot({ root: fileURLToPath(new URL('../../../../..', import.meta.url)), signal })
  expect(findings.find(({ id }) => id === 'installation')).toMatchObject({
    status: 'note', fix: expect.stringContaining('npm install -g') as string,
  })
  expect((await checkRoot({ root: tempDir(), signal })).map(({ id }) => id)).not.toContain('installation')
})

it('starts no program that stands in the root, also where PATH and the root lead through links', async () => {
  const { root, home } = place()
  for (const name of ['git', 'python3', 'bash']) {
    writeFileSync(join(root, name), `#!/bin/sh\ntouch '${join(home, 'started')}'\nexec /usr/bin/${name} "$@"\n`)
    chmodSync(join(root, name), 0o755)
  }
  const [way, other] = [join(home, 'way'), join(home, 'other')]
  symlinkSync(root, way)
  symlinkSync(root, other)
  vi.stubEnv('PATH', `${way}:${process.env['PATH'] ?? ''}`)
  const findings = await examine({ root: other, signal })
  expect(findings.find(({ id }) => id === 'path')?.detail).toContain(`${way} (it is where runs may write)`)
  expect(readdirSync(home)).not.toContain('started')
})

it('wants the Node that package.json wants', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8')) as { engines: { node: string } }
  expect(engines.node).toBe(`>=${NODE_NEEDED.join('.')}.0`)
})

describe('git', () => {
  it('is not there', async () => {
    const { root } = place()
    onlyPrograms('ls')
    expect(brief(await checkGit({ root, signal }))).toEqual(['git: warning'])
  })

  it('knows nobody, or is amid a merge', async () => {
    const { root, home } = place()
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1')
    execFileSync('git', ['init', '-q'], { cwd: root })
    expect(brief(await checkGit({ root, signal }))).toEqual(['git: ok', 'git-root: ok', 'git-identity: warning'])
    writeFileSync(join(home, '.gitconfig'), '[user]\n name = A\n email = a@example.com\n')
    writeFileSync(join(root, '.git', 'MERGE_HEAD'), '')
    const findings = await checkGit({ root, signal })
    expect(brief(findings)).toEqual(['git: ok', 'git-root: warning'])
    expect(findings[1]?.detail).toContain('merge is in progress')
  })
})

it('interpreters that are not there are notes', async () => {
  const { root } = place()
  onlyPrograms('bash')
  expect(brief(await checkInterpreters({ root, signal }))).toEqual([
    'interpreter-bash: ok', 'interpreter-python: note', 'interpreter-ruby: note',
  ])
})

describe('the sandbox', () => {
  needing('bubblewrap').it('is tried with a command', async () => {
    const { root, home } = place()
    writeFileSync(join(home, '.profile'), '')
    const [finding] = await checkSandbox({ root, signal })
    expect(finding).toMatchObject({ status: 'ok', detail: 'bwrap, tried with a command: it wrote in the root only, saw nothing of the home, and had no network; '
      + 'the commands of a task share processes, loopback and /tmp' })
  })

  it('may not work, or let through what it must not', () => {
    const around = { wroteOutside: false, hasHome: true, network: false, isShared: true }
    const could = { writesInside: true, writesOutside: true, writesState: false, seesHome: false, network: false }
    const of = (stdout: object, more = {}): string[] => sandboxFindings(
      { success: true, data: { sandbox: 'bwrap', stdout: JSON.stringify(stdout) } }, { ...around, ...more },
    ).map(({ status, detail }) => `${status}: ${detail.replace('bwrap, tried with a command: ', '').replace(/; .*/, '')}`)
    expect(of(could)).toEqual(['ok: it wrote in the root only, saw nothing of the home, and had no network'])
    expect(sandboxFindings({ success: true, data: { sandbox: 'unshare', stdout: JSON.stringify(could) } }, around)).toMatchObject([{
      status: 'note', detail: expect.stringMatching(/^unshare, tried with a command: .*; it has no filter of system calls: .*keys.*vsock and io_uring$/), fix: expect.stringContaining('bubblewrap'),
    }])
    expect(of({ ...could, seesHome: true, network: true }, { wroteOutside: true })).toEqual([
      'problem: bwrap was tried with a command: it wrote outside of the root, it saw a file of your home, it reached the network',
    ])
    expect(of({ ...could, writesInside: false, writesState: true, network: true }, { network: true })).toEqual([
      'problem: bwrap was tried with a command: it cannot write in the root, it wrote a hook of git',
    ])
    expect(sandboxFindings({ success: false, error: 'exec: there is no sandbox here' }, around)).toMatchObject([
      { status: 'warning', detail: 'does not work: exec: there is no sandbox here', fix: expect.any(String) },
    ])
  })

  needing('bubblewrap').it('is what the policy says', async () => {
    const { root, home } = place()
    mkdirSync(join(home, '.hermes'))
    const says = async (policy: string): Promise<string[]> => {
      writeFileSync(join(home, '.hermes', 'config.yaml'), policy)
      return (await checkSandbox({ root, signal })).map(({ status, detail }) => `${status} ${detail}`)
    }
    expect(await says('sandbox: none\n')).toEqual(['warning none: ~/.hermes/config.yaml:1 says so; commands can do whatever you can'])
    expect(await says('verbs: { exec: off, network: on }\n')).toEqual([
      'note switched off: ~/.hermes/config.yaml:1 says exec: off', expect.stringMatching(/^ok .* had the network as the policy says; /),
    ])
    onlyPrograms('node', 'sh')
    expect(await says('terminal: { backend: docker, docker_image: none }\n')).toEqual([expect.stringMatching(/^problem docker: /)])
  })
})

describe('the root', () => {
  it('has an open directory of hermes, one that git sees, and a journal that cannot be read', async () => {
    const { root } = place()
    mkdirSync(join(root, '.hermes', 'journal', 'run1'), { recursive: true })
    chmodSync(join(root, '.hermes'), 0o755)
    writeFileSync(join(root, '.hermes', '.gitignore'), '')
    writeFileSync(join(root, '.hermes', 'journal', 'run1', 'log.jsonl'), '{"op":"nonsense"}\n')
    expect(brief(await checkRoot({ root, signal })).slice(0, 3)).toEqual(['root: ok', 'state: warning', 'state: warning'])
  })

  it('has something else in the place of .hermes', async () => {
    const { root } = place()
    writeFileSync(join(root, '.hermes'), '')
    expect(brief(await checkRoot({ root, signal }))).toEqual(['root: ok', 'state: problem'])
  })
})

describe('policy files', () => {
  it.each([
    ['verbs: { wirte: off }\n', ['config: problem'], 'did you mean write?'],
    ['verbs: { network: on }\n', ['config: ok', 'config: warning'], 'has no effect'],
  ])('%j in hermes.yaml', async (policy, expected, says) => {
    const { root } = place()
    writeFileSync(join(root, 'hermes.yaml'), policy)
    const findings = await checkConfig({ root, signal })
    expect(brief(findings)).toEqual(expected)
    expect(findings.at(-1)?.detail).toContain(says)
  })

  it('of the user that others may change', async () => {
    const { root, home } = place()
    const file = join(home, '.hermes', 'config.yaml')
    mkdirSync(join(home, '.hermes'))
    writeFileSync(file, 'deny: [x]\n')
    chmodSync(file, 0o666)
    const findings = await checkConfig({ root, signal })
    expect(brief(findings)).toEqual(['config-mode: problem'])
    execFileSync('sh', ['-c', findings[0]?.fix ?? 'false'])
    expect(brief(await checkConfig({ root, signal }))).toEqual(['config: ok'])
  })
})

it('goes on where one check cannot look, and quotes paths', async () => {
  const { root } = place()
  vi.stubEnv('TMPDIR', join(root, 'nowhere'))
  const odd = join(root, 'a b')
  mkdirSync(join(odd, '.hermes'), { recursive: true, mode: 0o700 })
  writeFileSync(join(odd, '.hermes', 'journal'), '')
  const findings = await examine({ root: odd, signal })
  expect(findings.filter(({ detail }) => detail.startsWith('cannot be examined: ENOENT')).map(({ id }) => id)).toEqual(['sandbox', 'hosts', 'packages'])
  expect(findings.find(({ id }) => id === 'state')).toMatchObject({ status: 'problem', fix: expect.stringMatching(/^mv '\/.*a b\/.hermes\/journal' '/) })
})

describe('the queue', () => {
  const root = '/'
  const status = async (queue: string): Promise<string[]> => (await checkQueue({ root, signal, queue })).map((one) => `${one.status} ${one.detail}`)

  needing('redis').it('is a Redis server with a password', async () => {
    const port = await freePort()
    const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', 'secret-word', '--save', ''], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => {
      server.kill('SIGKILL')
    })
    for await (const data of server.stdout) if (String(data).includes('Ready to accept')) break
    expect(await status(`redis://:secret-word@127.0.0.1:${port}`)).toEqual([`ok 127.0.0.1:${port} answers`])
    expect(await status(`redis://127.0.0.1:${port}`)).toEqual([expect.stringMatching(/^problem 127.0.0.1:\d+ refuses: NOAUTH/)])
    vi.stubEnv('HERMES_QUEUE_PASSWORD', 'secret-word')
    expect(await status(`redis://127.0.0.1:${port}`)).toEqual([`ok 127.0.0.1:${port} answers`])
    vi.unstubAllEnvs()
    const wrong = await status(`redis://:wrong-word@127.0.0.1:${port}`)
    expect(wrong).toEqual([expect.stringContaining('refuses: WRONGPASS')])
    expect(wrong[0]).not.toContain('wrong-word')
  })

  it('gets no password where it is no Redis server', async () => {
    let seen = ''
    const server = createServer((socket) => socket.on('data', (data) => {
      seen += String(data)
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    }).on('error', () => undefined)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as AddressInfo
    expect(await status(`redis://:secret-word@127.0.0.1:${port}`)).toEqual([`problem 127.0.0.1:${port}: it is no Redis server`])
    expect(seen).toBe('*1\r\n$4\r\nPING\r\n')
    expect(await status('redis://:%zz@127.0.0.1:1')).toEqual(['problem its user or password is not encoded'])
  })

  it('is not there, or no address', async () => {
    expect(await status(`redis://127.0.0.1:${await freePort()}`)).toEqual([expect.stringMatching(/^problem 127.0.0.1:\d+: ECONNREFUSED$/)])
    expect(await status('http://localhost')).toEqual(['problem its address is none'])
    expect(await checkQueue({ root, signal })).toEqual([])
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

it('a lock that a git left behind is found, one that may be in use is not', async () => {
  const { root } = place()
  execFileSync('git', ['init', '--quiet', root])
  const lock = join(root, '.git', 'index.lock')
  writeFileSync(lock, '')
  const found = async (): Promise<Finding | undefined> => (await checkGit({ root, signal })).find(({ id }) => id === 'git-lock')
  expect(await found()).toBeUndefined()
  const old = new Date(Date.now() - 3_600_000)
  utimesSync(lock, old, old)
  expect(await found()).toMatchObject({ status: 'problem', detail: `${lock} is 60 min old: no run can commit (LOCKED)`, fix: `See that no git works here (ps), then rm ${lock}` })
})

it('policy files of a newer version are named', async () => {
  const { home, root } = place()
  mkdirSync(join(home, '.hermes'))
  writeFileSync(join(home, '.hermes', 'config.yaml'), '_config_version: 99\n', { mode: 0o600 })
  writeFileSync(join(root, 'hermes.yaml'), '_config_version: 1\n')
  const found = (await checkConfig({ root, signal })).filter(({ id }) => id === 'config-version')
  expect(found).toMatchObject([{ status: 'warning', detail: expect.stringMatching(/config\.yaml is of version 99, this hermes knows 1$/) as string }])
})
