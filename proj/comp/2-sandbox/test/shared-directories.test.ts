import { describe, expect, it } from 'vitest'
import type { Mount } from '../src/mounts.js'
import { holderMounts, holds, sharedDirectories, withShared } from '../src/shared-directories.js'

const HOME = '/home/ada'
const PLACES = ['/tmp', HOME]
const read = (at: string, from = '/usr'): Mount => ({ kind: 'read', at, from })
const memory = (at: string): Mount => ({ kind: 'memory', at, bytes: 2 ** 30 })
const MOUNTS: readonly Mount[] = [memory('/tmp'), memory(HOME), read(`${HOME}/.pyenv`), read(`${HOME}/code/project`)]

describe.skipIf(process.platform === 'win32')('what commands share', () => {
  it('is memory, but for what others are mounted on', () => {
    expect(sharedDirectories(PLACES, MOUNTS)).toEqual([
      { at: '/tmp', from: '/.hermes-shared/0', bytes: 2 ** 30, pins: [] },
      { at: HOME, from: '/.hermes-shared/1', bytes: 2 ** 30, pins: ['.pyenv', 'code'] },
    ])
    expect(withShared(MOUNTS, sharedDirectories(PLACES, MOUNTS))).toEqual([
      read(`${HOME}/.pyenv`), read(`${HOME}/code/project`),
      { kind: 'write', at: '/tmp', from: '/.hermes-shared/0' },
      { kind: 'write', at: HOME, from: '/.hermes-shared/1' },
      memory(`${HOME}/code`),
    ])
  })

  it.each<[string, Mount]>([
    ['a file', read(`${HOME}/.netrc`, process.execPath)],
    ['a text', { kind: 'text', at: `${HOME}/.gitconfig`, text: '' }],
    ['a link', { kind: 'link', at: `${HOME}/bin`, target: '.pyenv' }],
    ['the root itself', { kind: 'write', at: HOME, from: HOME }],
  ])('is not the home where it has %s', (_, mount) => {
    expect(sharedDirectories(PLACES, [...MOUNTS, mount]).map(({ at }) => at)).toEqual(['/tmp'])
  })

  it('is, for a command with a mount that others have not, only what that leaves alone', () => {
    const shared = withShared([...MOUNTS, read('/tmp/code/x')], sharedDirectories(PLACES, MOUNTS))
    expect(shared).toContainEqual(memory('/tmp'))
    expect(shared).toContainEqual({ kind: 'write', at: HOME, from: '/.hermes-shared/1' })
  })

  it('has all names taken, also for a command without a mount there', () => {
    const fewer = MOUNTS.filter(({ at }) => at !== `${HOME}/.pyenv`)
    expect(withShared(fewer, sharedDirectories(PLACES, MOUNTS))).toContainEqual(memory(`${HOME}/.pyenv`))
  })
})

describe.skipIf(process.platform === 'win32')('the holder', () => {
  const held = holderMounts([...MOUNTS, { kind: 'write', at: '/root', from: '/root' },
    { kind: 'read', at: '/proc/sys', from: '/proc/sys' },
    { kind: 'link', at: '/bin', target: 'usr/bin' }, { kind: 'link', at: '/var/tmp', target: '/tmp' }])

  it('has the sources of the mounts where they are outside', () => {
    expect(held.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
      'read /usr', 'read /usr', 'write /root', 'link /bin',
    ])
  })

  it.each<[boolean, Mount]>([
    [true, { kind: 'read', at: '/x', from: '/root/.git' }],
    [true, { kind: 'write', at: '/x', from: '/root/a' }],
    [true, { kind: 'write', at: '/proc', from: '/.hermes-shared/proc' }],
    [true, { kind: 'read', at: '/proc/sys', from: '/proc/sys' }],
    [true, memory('/x')],
    [false, { kind: 'read', at: '/x', from: '/etc' }],
    [false, { kind: 'write', at: '/x', from: '/usr/lib' }],
  ])('has what a command finds: %j for %j', (expected, mount) => {
    expect(holds(held, [mount])).toBe(expected)
  })
})
