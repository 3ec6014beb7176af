/** Programs and packages that some tests need besides Node, git, Python and a C compiler. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, it } from 'vitest'
import { SSHD } from './sshd.js'

export const CHROMIUM = process.env['HERMES_TEST_CHROMIUM'] ?? '/usr/bin/chromium'

const NEEDS = {
  bubblewrap: { isThere: () => starts('bwrap', '--version'), mend: 'apt-get install bubblewrap' },
  chromium: { isThere: () => starts(CHROMIUM, '--version'), mend: 'apt-get install chromium' },
  fish: { isThere: () => starts('fish', '--version'), mend: 'apt-get install fish' },
  groff: { isThere: () => starts('groff', '--version'), mend: 'apt-get install groff' },
  'node-pty': { isThere: () => isInstalled('@lydell/node-pty'), mend: 'npm install @lydell/node-pty' },
  namespaces: {
    isThere: () => works('unshare', '--user', '--map-root-user', '--mount', '--net', '--pid', '--fork', 'ip', 'link', 'set', 'lo', 'up'),
    mend: 'apt-get install util-linux iproute2, and let users make namespaces',
  },
  redis: { isThere: () => starts('redis-server', '--version'), mend: 'apt-get install redis-server' },
  ripgrep: { isThere: () => isInstalled('@vscode/ripgrep'), mend: 'npm install @vscode/ripgrep' },
  ruby: { isThere: () => starts('ruby', '--version'), mend: 'apt-get install ruby' },
  ssh: {
    isThere: () => starts('ssh', '-V') && SSHD !== undefined && starts(SSHD, '-V'),
    mend: 'apt-get install openssh-server openssh-client',
  },
  strace: { isThere: () => works('strace', '-f', '-qq', '-o', '/dev/null', 'true'), mend: 'apt-get install strace' },
  tmux: { isThere: () => starts('tmux', '-V'), mend: 'apt-get install tmux' },
  zsh: { isThere: () => starts('zsh', '--version'), mend: 'apt-get install zsh' },
} as const satisfies Record<string, { isThere: () => boolean; mend: string }>

export type Need = keyof typeof NEEDS

/** Where all must be there, a test that needs something is never skipped, so that it fails where it is not. */
const isComplete = !['', '0', 'false'].includes(process.env['CI'] ?? '')
const found = new Map<Need, boolean>()

export function isThere(need: Need): boolean {
  const known = found.get(need) ?? NEEDS[need].isThere()
  found.set(need, known)
  return known
}

/**
 * `describe` and `it` of tests that need all of these: skipped where one is missing, and run where `CI` is set. Their
 * titles end in `(needs a, b)`: the reporter prints it as the reason, and the gate compares who skips.
 */
export function needing(...needs: readonly Need[]): Needing {
  const isSkipped = !isComplete && !needs.every(isThere)
  const title = (name: string): string => (needs.length === 0 ? name : `${name} (needs ${needs.join(', ')})`)
  const each = <Each extends typeof it.each | typeof describe.each>(api: { each: Each }): Each => {
    const titled = (...cases: readonly unknown[]) => {
      const define = (api as { each: (...cases: readonly unknown[]) => Define }).each(...cases)
      return (name: string, ...rest: readonly unknown[]) => define(title(name), ...rest)
    }
    return titled as unknown as Each
  }
  const suite = isSkipped ? describe.skip : describe
  return {
    describe: Object.assign<NeedingDescribe, Pick<typeof describe, 'each'>>(
      (name, tests, options = {}) => suite(title(name), options, tests), { each: each(suite) },
    ),
    it: Object.assign<NeedingTest, Pick<typeof it, 'each'>>(
      (name, test, timeout) => it.skipIf(isSkipped)(title(name), test, timeout),
      { each: each(isSkipped ? it.skip : it) },
    ),
  }
}

export interface Needing {
  describe: NeedingDescribe & Pick<typeof describe, 'each'>
  it: NeedingTest & Pick<typeof it, 'each'>
}

type Define = (name: string, ...rest: readonly unknown[]) => void
type NeedingDescribe = (name: string, tests: () => void, options?: { concurrent?: boolean }) => void
type NeedingTest = (name: string, test: () => void | Promise<void>, timeout?: number) => void

export function isMissing(need: string): boolean {
  return need in NEEDS && !isThere(need as Need)
}

/** What to do about a missing one. */
export function mendOf(need: string): string | undefined {
  return Object.entries(NEEDS).find(([name]) => name === need)?.[1].mend
}

/** A device may lie in the place of a program that is to be hidden. */
function starts(program: string, option: string): boolean {
  return spawnSync(program, [option], { stdio: 'ignore', timeout: 20_000 }).error === undefined
}

function works(program: string, ...args: string[]): boolean {
  return process.platform === 'linux' && spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
}

function isInstalled(name: string): boolean {
  const places = createRequire(import.meta.url).resolve.paths(name) ?? []
  return places.some((place) => existsSync(`${place}/${name}/package.json`))
}
