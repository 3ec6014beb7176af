import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bwrapOptions } from '../src/bwrap-arguments.js'
import { CONTAINER_ENGINES, type ContainerEngine, type ContainerExec, type ContainerStart } from '../src/containers/container-engines.js'
import type { Mount } from '../src/mounts.js'
import { seatbeltProfile } from '../src/seatbelt-profile.js'
import { shellWord } from '../../0-text/src/strings/index.js'
import { remoteCommand, sshArguments } from '../src/ssh-arguments.js'
import { unshareArguments } from '../src/unshare-arguments.js'

/** The fences of the golden, by their names. */
const GOLDENS = new Map([...readFileSync(new URL('../test-data/arguments.md', import.meta.url), 'utf8')
  .matchAll(/^```text (.+)\n([^]*?)^```$/gm)].map(([, name = '', body = '']) => [name, body]))

function expectGolden(name: string, found: string): void {
  expect(`${found}\n`).toBe(GOLDENS.get(name))
}

const MOUNTS: readonly Mount[] = [
  { kind: 'read', at: '/usr', from: '/usr' },
  { kind: 'link', at: '/bin', target: 'usr/bin' },
  { kind: 'text', at: '/etc/passwd', text: 'me:x:1000:1000::/home/me:/bin/sh\n' },
  { kind: 'text', at: '/etc/group', text: 'me:x:1000:\n' },
  { kind: 'memory', at: '/home/me', bytes: 1000 },
  { kind: 'memory', at: '/tmp', bytes: 1000 },
  { kind: 'read', at: '/home/me/.pyenv', from: '/home/me/.pyenv' },
  { kind: 'write', at: '/home/me/project', from: '/home/me/project' },
  { kind: 'read', at: '/home/me/project/.git', from: '/home/me/project/.git' },
  { kind: 'blank', at: '/home/me/.netrc' },
]
const OWNER = '0123456789abcdef-4711-99'
const NAME = `hermes-${OWNER}-abc`
const START: ContainerStart = {
  image: 'debian:12', name: NAME, owner: OWNER, cwd: '/app', network: false, user: { uid: 1000, gid: 1000 }, processes: 512,
  memoryBytes: 1024, fileBytes: 2048,
  mounts: [
    { from: '/home/me/project', at: '/app', readOnly: false },
    { from: '/home/me/project/.git', at: '/app/.git', readOnly: true },
    { from: '/data/a,b "c"', at: '/data/a,b "c"', readOnly: false },
  ],
}
const EXEC: ContainerExec = { name: NAME, cwd: '/app/sub', env: { CI: '1' }, command: ['bash', '-c', 'echo "$CI"'] }
const SSH = { host: 'box.example', user: 'me', key: '/home/me/.ssh/id', port: '2222', cwd: '/srv/app', options: [] }

describe('the exact arguments of', () => {
  it('bubblewrap', () => {
    const { options, texts } = bwrapOptions({
      mounts: MOUNTS, cwd: '/home/me/project', network: false, features: { size: true, disableUserns: true },
      env: { PATH: '/usr/bin', HOME: '/home/me' },
    })
    expectGolden('bwrap', options.join('\n'))
    expect(texts).toEqual(['me:x:1000:1000::/home/me:/bin/sh\n', 'me:x:1000:\n'])
  })

  it('bubblewrap of an older version, with network', () => {
    const { options } = bwrapOptions({
      mounts: [{ kind: 'memory', at: '/tmp', bytes: 1000 }], cwd: '/', network: true,
      features: { size: false, disableUserns: false }, env: {},
    })
    expectGolden('bwrap 0.6, network', options.join('\n'))
  })

  const TOOLS = {
    unshare: '/usr/bin/unshare', setpriv: '/usr/bin/setpriv', setsid: '/usr/bin/setsid', mount: '/usr/bin/mount', umount: '/usr/bin/umount',
    pivot_root: '/usr/sbin/pivot_root', bash: '/bin/bash', mkdir: '/usr/bin/mkdir', ln: '/usr/bin/ln', loopback: '/usr/sbin/ip',
  }
  const UNSHARE = { cwd: '/usr', network: false, env: { PATH: '/usr/bin', N: 'a\nb' }, terminal: false, command: ['sh', '-c', 'echo "$N"'] }
  const MACHINE = {
    closed: ['/proc/sys'],
    mounts: [
      { at: '/', flags: ['relatime'] }, { at: '/usr/local', flags: ['ro', 'noexec', 'relatime'] },
      { at: '/dev', flags: ['nosuid'] }, { at: '/proc', flags: ['nosuid', 'nodev', 'noexec'] },
    ],
  }
  /** Of scripts, which are constants, the first words. */
  const shortened = (words: readonly string[]) => words.map(word => (word.split('\n').length > 10 ? `${word.slice(0, 20)}…` : word)).join('\n')

  it('unshare', () => {
    // Files and directories of this machine, since only what is there can be mounted.
    const mounts: readonly Mount[] = [
      { kind: 'read', at: '/usr', from: '/usr' }, { kind: 'link', at: '/bin', target: 'usr/bin' },
      { kind: 'read', at: '/home/a b', from: '/usr/bin' }, { kind: 'write', at: '/home/a b/#1', from: '/usr/local' },
      { kind: 'memory', at: '/tmp', bytes: 1000 }, { kind: 'memory', at: '/home', bytes: 1000 },
      { kind: 'blank', at: '/home/.netrc' }, { kind: 'text', at: '/etc/group', text: 'me:x:1000:\n' },
    ]
    const { args, inputs: [plan = '', environment] } = unshareArguments({ ...UNSHARE, mounts }, TOOLS, { uid: 1000, gid: 100 }, MACHINE)
    expectGolden('unshare', shortened(args))
    expectGolden('unshare, plan', shortened(plan.split('\0')))
    expect(environment).toBe('PATH=/usr/bin\0N=a\nb\0')
  })

  it('unshare on a terminal, with network', () => {
    const { args, inputs: [plan = ''] } = unshareArguments({ ...UNSHARE, mounts: [], network: true, terminal: true }, TOOLS, { uid: 0, gid: 0 }, MACHINE)
    expectGolden('unshare, terminal, network', shortened(args))
    expect(plan.split('\0')[12]).toBe('')
    expect(plan).toContain('\0terminal\x001\0/sys/dev/console\0')
  })

  it.each(['docker', 'singularity'] as const)('%s', (name) => {
    const { start, exec, end, state, list, processes, rootless }: ContainerEngine = CONTAINER_ENGINES[name]
    expectGolden(`${name}, start`, start(START).join('\n'))
    expectGolden(`${name}, start, network`, start({ ...START, network: true, user: undefined, mounts: [] }).join('\n'))
    expectGolden(`${name}, exec`, exec(EXEC).join('\n'))
    expectGolden(`${name}, exec, terminal`, exec({ ...EXEC, terminal: true, env: {} }).join('\n'))
    expectGolden(`${name}, the rest`, [end(NAME), state(NAME), list(), processes?.(NAME) ?? [], rootless?.args ?? []].map(words => words.join(' ')).join('\n').trimEnd())
  })
  it('ssh', () => {
    const args = sshArguments(SSH, { GREETING: "it's" }, ['python3', '-c', 'print(1)'])
    expectGolden('ssh', args.slice(0, -1).join('\n'))
    expect(args.at(-1)).toBe(remoteCommand('/srv/app', { GREETING: "it's" }, ['python3', '-c', 'print(1)']))
  })
  it('ssh on a terminal', () => {
    expectGolden('ssh, terminal', sshArguments(SSH, { GREETING: "it's" }, ['bash', '-i'], { mark: 'm-1' }).join('\n'))
  })
  it('ssh with nothing but a host', () => {
    const args = sshArguments({ host: 'box', user: undefined, key: undefined, port: undefined, cwd: undefined, options: [] }, {}, ['true'])
    expectGolden('ssh, host only', args.slice(0, -1).join('\n'))
  })
})

it('containers that engines tell of', () => {
  const { docker, singularity } = CONTAINER_ENGINES
  expect([' Security Options:\n  seccomp\n  rootless\n', '    rootless: true\n', '    rootless: false\n', ' Name: rootless-box\n']
    .map(text => docker.rootless?.says.test(text))).toEqual([true, true, false, false])
  const owned = [{ name: NAME, owner: OWNER }]
  expect(docker.owned(`${NAME}\t${OWNER}\nmine\t${OWNER}\nhermes-no-label\n`)).toEqual(owned)
  expect([docker.isUp('true\n', NAME), docker.isUp('false\n', NAME)]).toEqual([true, false])
  const listed = JSON.stringify({ instances: [{ instance: NAME, pid: 5 }, { instance: 'hermes-mine' }, { instance: 'web' }] })
  expect(singularity.owned(listed)).toEqual(owned)
  expect(singularity.owned('FATAL: no such thing')).toEqual([])
  expect([singularity.isUp(listed, NAME), singularity.isUp('{}', NAME)]).toEqual([true, false])
})

it('seatbelt: the exact profile', () => {
  const place = {
    writable: ['/Users/me/project', '/private/tmp/a "b"\\c'], protected: ['/Users/me/project/.git', '/Users/me/project/hermes.yaml'],
    hidden: ['/Users/me/project/.ssh'], readable: ['/Users/me/.pyenv'],
  }
  expectGolden('seatbelt', seatbeltProfile({ ...place, network: false }).trimEnd())
  expectGolden('seatbelt, network', seatbeltProfile({ ...place, network: true }).trimEnd())
})

it.each([['plain', 'plain'], ["it's", `'it'\\''s'`], ['', `''`], ['$(x) `y` "z"', `'$(x) \`y\` "z"'`], ['a=b', 'a=b'], ['a\nb', `'a\nb'`]])(
  'words for a remote shell: %j', (text, word) => expect(shellWord(text)).toBe(word),
)
