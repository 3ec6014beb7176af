import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import type { ShownNetwork } from './command-environment.js'
import { realPath } from './home.js'
import type { Mount } from './mounts.js'

/** Programs and libraries of the system. `/bin` and the like are links into `/usr` on most. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']
/** What programs read of `/etc` whatever they do; nothing in it is secret or about other users. */
const SETTINGS = [
  'alternatives', 'crypto-policies', 'debian_version', 'fonts', 'gemrc', 'inputrc', 'ld-musl-x86_64.path',
  'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'locale.conf', 'magic', 'mime.types', 'nsswitch.conf',
  'os-release', 'protocols', 'services', 'shells', 'terminfo', 'timezone', 'python3', 'perl', 'R',
]
/** For those who reach the network; the others for those who resolve names themselves. */
const CERTIFICATES = ['ca-certificates.conf', 'pki', 'ssl']
const NETWORK_SETTINGS = [...CERTIFICATES, 'gai.conf', 'hosts', 'resolv.conf']

/** What of `/proc` lets root change the machine without any capability, `sys/kernel/core_pattern` first of all. */
const CLOSED_OF_PROCESSES = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr', 'asound']

/** Names below `/proc` that are read-only, as far as this machine has them. */
export function closedOfProcesses(): string[] {
  return CLOSED_OF_PROCESSES.map(name => join('/proc', name)).filter(path => existsSync(path))
}

/** System directories and a minimal `/etc`, all read-only. */
export function systemMounts(home: string, network: ShownNetwork): Mount[] {
  // Debian's Java keeps what it cannot start without in `/etc/java-17-openjdk`.
  const ofJava = readdirSync('/etc').filter(name => name.startsWith('java-'))
  return [
    ...SYSTEM.flatMap(systemMount),
    ...[...SETTINGS, ...ofJava, ...settingsFor(network)].flatMap(settingMount),
    ...accounts(home),
    // The only names that are known without network.
    ...(network === true ? []
      : [{ kind: 'text', at: '/etc/hosts', text: `127.0.0.1 localhost ${hostname()}\n::1 localhost\n` } as const]),
    // Others may write there what is of their own namespaces.
    ...(process.geteuid?.() !== 0 ? []
      : closedOfProcesses().map((path): Mount => ({ kind: 'read', at: path, from: path }))),
  ]
}

function settingsFor(network: ShownNetwork): readonly string[] {
  if (network === 'named') return CERTIFICATES
  return network ? NETWORK_SETTINGS : []
}

function systemMount(path: string): Mount[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (stat.isSymbolicLink()) return [{ kind: 'link', at: path, target: readlinkSync(path) }]
  return [{ kind: 'read', at: path, from: path }]
}

/** Links out of `/etc` (`resolv.conf`) show what they lead to. */
function settingMount(name: string): Mount[] {
  const path = join('/etc', name)
  const from = existsSync(path) ? realPath(path) : undefined
  return from === undefined ? [] : [{ kind: 'read', at: path, from }]
}

/** The user, and nobody: other accounts of the machine are none of a command's business. */
function accounts(home: string): Mount[] {
  // A user id may be without an account.
  const user = orNothing(
    userInfo, { username: 'user', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, shell: '/bin/sh' },
  )
  const own = `${user.username}:x:${user.uid}:${user.gid}::${home}:${user.shell ?? '/bin/sh'}\n`
  const nobody = user.uid === 65534 ? '' : 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n'
  const nogroup = user.gid === 65534 ? '' : 'nogroup:x:65534:\n'
  return [
    { kind: 'text', at: '/etc/passwd', text: own + nobody },
    { kind: 'text', at: '/etc/group', text: `${user.username}:x:${user.gid}:\n${nogroup}` },
  ]
}
