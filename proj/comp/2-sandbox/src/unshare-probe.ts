import { existsSync } from 'node:fs'
import { orNothing } from '../../0-contracts/src/index.js'
import { findProgram } from '../../2-processes/src/index.js'
import { problemOf } from './backend.js'
import { realPath } from './home.js'
import { systemMounts } from './system-mounts.js'
import { unshareArguments, type UnshareTools, type UnshareUser } from './unshare-arguments.js'

/** Directories of the system alone: what is found there starts outside the sandbox. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'
/** The packages that have them where they are missing. */
const PACKAGES = {
  unshare: 'util-linux', setpriv: 'util-linux', setsid: 'util-linux', mount: 'util-linux', umount: 'util-linux',
  pivot_root: 'util-linux', bash: 'bash', mkdir: 'coreutils', ln: 'coreutils',
} as const
const LOOPBACK = ['ip', 'ifconfig', 'perl', 'python3']
const PROBE_MS = 5000

/** Whether the programs of util-linux can set a sandbox up; `problem` says why not, as the end of a sentence. */
export type UnshareState = { works: true; tools: UnshareTools } | { works: false; problem: string }

let known: Promise<UnshareState> | undefined

/** Tried once in a process. */
export function probeUnshare(): Promise<UnshareState> {
  known ??= tryOnce()
  return known
}

export function currentUser(): UnshareUser {
  return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
}

async function tryOnce(): Promise<UnshareState> {
  const names = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]
  const missing = names.find(name => located(name) === undefined)
  if (missing !== undefined) return { works: false, problem: `${missing} (${PACKAGES[missing]}) is not installed` }
  const loopback = LOOPBACK.map(located).find(path => path !== undefined)
  if (loopback === undefined) return { works: false, problem: 'ip (iproute2) is not installed' }
  if (!existsSync('/proc/self/ns/user')) return { works: false, problem: 'the kernel has no user namespaces' }
  const tools: UnshareTools = {
    ...Object.fromEntries(names.map(name => [name, located(name) ?? name])) as Omit<UnshareTools, 'loopback'>, loopback,
  }
  const mounts = [...systemMounts('/', false), { kind: 'memory', at: '/tmp', bytes: 2 ** 20 } as const]
  const { args, inputs: [plan = ''] } = unshareArguments(
    { mounts, cwd: '/', network: false, env: {}, terminal: false, command: ['/bin/sh', '-c', ':'] },
    tools, currentUser(), undefined, { plan: 0, report: 1, environment: 0 },
  )
  const problem = await problemOf({
    program: tools.setpriv, args, env: {}, cwd: '/', input: plan, timeoutMs: PROBE_MS,
  }, 'unshare failed')
  if (problem === undefined) return { works: true, tools }
  const isRefused = /unshare failed|uid_map|Operation not permitted|Permission denied|No space left/.test(problem)
  return { works: false, problem: isRefused ? `user namespaces are not allowed here: ${problem}` : problem }
}

/** It enters the network of named hosts. */
export function locatedNsenter(): string | undefined {
  return located('nsenter')
}

/** By its name where the directory is of the system; elsewhere by what it leads to, which alone is shown inside. */
function located(name: string): string | undefined {
  const program = orNothing(() => findProgram(name, SYSTEM_PATH), undefined)
  return program?.startsWith('/run/') ? realPath(program) : program
}
