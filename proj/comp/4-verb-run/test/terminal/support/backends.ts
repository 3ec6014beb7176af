import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { HermesOptions } from '../../../../0-contracts/src/index.js'
import { Hermes } from '../../../../5-executor/src/executor/index.js'
import { standInDocker } from '../../../../../test/support/docker.js'
import { isThere, needing, type Need, type Needing } from '../../../../../test/support/needs.js'
import { startSshd, type TestSshd } from '../../../../../test/support/sshd.js'

/** Where shells of a terminal can be tried: `docker` is a stand-in for the client and the engine. */
export const BACKENDS = ['none', 'bwrap', 'unshare', 'ssh', 'docker'] as const
export type BackendName = typeof BACKENDS[number]

const NEEDS: Record<BackendName, readonly Need[]> = { none: [], bwrap: ['bubblewrap'], unshare: ['namespaces'], ssh: ['ssh'], docker: ['bubblewrap'] }

/** `describe` and `it` of tests on a backend. */
export function on(name: BackendName): Needing {
  return needing(...NEEDS[name])
}

export interface OpenedHermes {
  hermes: Hermes
  root: string
  /** The root, as shells call it. */
  there: string
  /** For programs that are to find the same settings, whatever is opened meanwhile. */
  env: NodeJS.ProcessEnv
}

/** The places, from before the tests of the file until after them. */
export interface Places {
  readonly base: string
  readonly sshd: TestSshd | undefined
  /** State of the stand-in of docker; its `log` holds a line for each call. */
  readonly docker: string
  /** A session of its own in an empty root; `terminal` is what the user's own file says besides the backend. */
  open(name: BackendName, options?: HermesOptions, terminal?: Record<string, string>): Promise<OpenedHermes>
}

export function usePlaces(): Places {
  const saved = { ...process.env }
  let [base, count] = ['', 0]
  let sshd: TestSshd | undefined
  let turn: Promise<unknown> = Promise.resolve()
  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
    const { bin, state } = standInDocker(base)
    if (isThere('ssh')) sshd = await startSshd()
    Object.assign(process.env, {
      PATH: [bin, sshd?.bin ?? '', process.env['PATH'] ?? ''].filter(Boolean).join(delimiter),
      DOCKER_CONFIG: state, TERMINAL_SSH_HOST: '127.0.0.1', TERMINAL_SSH_PORT: String(sshd?.port),
      TERMINAL_SSH_KEY: sshd?.key, TERMINAL_SSH_USER: sshd?.user,
    })
  })
  afterAll(() => {
    for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name]
    Object.assign(process.env, saved)
    sshd?.close()
    rmSync(base, { recursive: true, force: true, maxRetries: 3 })
  })
  return {
    get base() {
      return base
    },
    get sshd() {
      return sshd
    },
    get docker() {
      return join(base, 'docker')
    },
    open(name, options, terminal) {
      // One after the other: settings are read from the environment of the process.
      const opened = turn.then(() => open(name, join(base, `${name}-${++count}`), sshd, options, terminal))
      turn = opened.catch(() => undefined)
      return opened
    },
  }
}

async function open(
  name: BackendName, root: string, sshd: TestSshd | undefined, options: HermesOptions = {}, more: Record<string, string> = {},
): Promise<OpenedHermes> {
  const home = `${root}-home`
  const there = name === 'ssh' ? join(sshd?.directory ?? '', root.slice(root.lastIndexOf('/') + 1)) : root
  for (const directory of [root, home, ...(there === root ? [] : [there])]) mkdirSync(directory)
  const backend = name === 'ssh' || name === 'docker' ? name : 'local'
  const terminal = { backend, docker_image: 'debian:12', ...more }
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ terminal }))
  Object.assign(process.env, { HERMES_HOME: home, TERMINAL_SSH_CWD: there })
  const hermes = new Hermes({ root, gitCommit: false, sandbox: name === 'none' || name === 'unshare' ? name : 'auto', ...options })
  await hermes.call([{ id: 'first', name: 'terminal_list', arguments: {} }])
  return { hermes, root, there, env: { ...process.env } }
}
