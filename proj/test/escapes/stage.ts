import { execFileSync, spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import type { ApprovalAnswer, ApprovalReply } from '../../comp/0-contracts/src/index.js'
import type { ExecutionResult, HermesOptions } from '../../src/index.js'
import { spread } from '../support/campaign.js'
import { tempDir } from '../support/temp-dir.js'
import { Player, readPlayed, type Played } from './player.js'
import type { Session } from './run-commands.js'

/** `nobody`: as root nothing shows what a sandbox keeps from a user. */
const USER = 65534
const IS_ROOT = process.getuid?.() === 0

/** Who runs the commands. */
export type Account = 'an unprivileged user' | 'root'
/** As root a campaign tries both; others are the unprivileged user themselves. */
export const ACCOUNTS = spread<Account>(['an unprivileged user', ...(IS_ROOT ? ['root'] as const : [])], 2)
/** The sandboxes that have to hold the same, and what their tests need. */
export const SANDBOXES = [['bwrap', ['bubblewrap']], ['unshare', ['namespaces']]] as const

/** Of what is tried in each sandbox: outside of a campaign every `step`-th case, in the one or the other by turns. */
export function spreadIn<Case>(sandbox: string, cases: readonly Case[], step: number): readonly Case[] {
  return spread(cases, 2 * step, sandbox === SANDBOXES[0][0] ? 0 : step)
}

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))
const PATH = '/usr/local/bin:/usr/bin:/bin'

/** A process for all sessions of a program and an account: most of a short run would be spent on its start. */
const players = new Map<string, Player>()
afterAll(() => Promise.all([...players.values()].map((player) => player.end())))

function playerOf(program: string, identity: { uid?: number; gid?: number }): Player {
  const key = `${program} ${identity.uid}`
  const player = players.get(key) ?? new Player(program, identity)
  players.set(key, player)
  return player
}

/** A machine in small: a home with a secret, a place outside, a project, a listener, a victim. All in one temporary directory. */
export class Stage {
  readonly base = tempDir()
  readonly home = join(this.base, 'home')
  readonly outside = join(this.base, 'outside')
  readonly root = join(this.base, 'project')
  readonly env: Record<string, string> = { PATH, HOME: this.home, STAGE_PASSWORD: 'swordfish-1234', GIT_CONFIG_NOSYSTEM: '1' }
  connections = 0
  port = 0
  /** Whether its sessions get a process of their own, whose environment is theirs from its start. */
  isApart = false
  victim: ChildProcess | undefined
  /** Name of the terminal, and all that came to its screen. */
  terminal = ''
  onTerminal = ''

  readonly identity: { uid?: number; gid?: number }

  constructor(account: Account = 'an unprivileged user') {
    this.identity = IS_ROOT && account !== 'root' ? { uid: USER, gid: USER } : {}
    for (const directory of [this.home, this.outside, this.root]) mkdirSync(directory)
    writeFileSync(join(this.home, 'secret.txt'), 'the-secret-of-home')
    writeFileSync(join(this.home, '.gitconfig'), '[user]\n\tname = a\n\temail = a@example.org\n[safe]\n\tdirectory = *\n')
    writeFileSync(join(this.outside, 'secret.txt'), 'the-secret-outside')
    writeFileSync(join(this.root, 'file.txt'), 'text\n')
  }

  /** Who listens on the loopback of the machine. */
  async listen(): Promise<void> {
    const server: Server = createServer(socket => {
      this.connections++
      socket.destroy()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
  }

  /** A process of the same user that lets anybody of that user trace it. */
  async startVictim(): Promise<number> {
    const code = 'import ctypes,time; ctypes.CDLL(None).prctl(0x59616d61,-1,0,0,0); print("up",flush=True); time.sleep(60)'
    this.victim = spawn('python3', ['-c', code, 'the-victim'], { ...this.identity, env: this.env, stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void this.victim?.kill('SIGKILL'))
    await new Promise(resolve => this.victim?.stdout?.once('data', resolve))
    return this.victim.pid ?? 0
  }

  /** A terminal of the same user, as a person would sit at. */
  async openTerminal(): Promise<void> {
    const code = 'import os,sys; m,s=os.openpty(); print(os.ttyname(s),flush=True)\nwhile True: sys.stdout.write(os.read(m,99).decode()); sys.stdout.flush()'
    const holder = spawn('python3', ['-c', code], { ...this.identity, env: this.env, stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void holder.kill('SIGKILL'))
    this.terminal = await new Promise<string>(resolve => holder.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).trim())))
    holder.stdout.on('data', (chunk: Buffer) => {
      this.onTerminal += String(chunk)
    })
  }

  get victimLives(): boolean {
    return this.victim?.exitCode === null && this.victim.signalCode === null
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { ...this.identity, cwd: this.root, env: this.env, encoding: 'utf8' })
  }

  /** The command line of hermes. */
  hermes(...args: string[]): string {
    return execFileSync(process.execPath, [CLI, ...args], { ...this.identity, cwd: this.root, env: this.env, encoding: 'utf8' })
  }

  plant(path: string, content: string, mode = 0o644): void {
    mkdirSync(join(this.base, path, '..'), { recursive: true })
    writeFileSync(join(this.base, path), content)
    chmodSync(join(this.base, path), mode)
  }

  has(path: string): boolean {
    return existsSync(join(this.base, path))
  }

  read(path: string): string {
    return this.has(path) ? readFileSync(join(this.base, path), 'utf8') : ''
  }

  /** Gives everything to the user who runs the commands. */
  handOver(): void {
    chmodSync(this.base, 0o755)
    if (this.identity.uid === undefined) return
    const all = readdirSync(this.base, { recursive: true, encoding: 'utf8' }).map(name => join(this.base, name))
    for (const path of [this.base, ...all]) chownSync(path, USER, USER)
  }

  /** Runs answers in the project, one run each; all that needs consent gets it. */
  async run(program: string, answers: readonly string[], options: HermesOptions): Promise<ExecutionResult[]> {
    return (await this.ask(program, answers, options, 'once')).results
  }

  /**
   * The same with a certain answer to all that needs consent, or none.
   *
   * @param within a command line that runs the program
   */
  async ask(
    program: string, answers: readonly string[], options: HermesOptions, consent?: ApprovalAnswer | ApprovalReply,
    within: readonly string[] = [],
  ): Promise<Played> {
    if (within.length === 0 && !this.isApart) {
      this.handOver()
      return playerOf(program, this.identity).play(this.#session(answers, options, consent))
    }
    const child = this.start(program, answers, options, consent, within)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return readPlayed(stdout, stderr)
  }

  /** The same in a process of its own, and does not wait for it. */
  start(
    program: string, answers: readonly string[], options: HermesOptions, consent?: ApprovalAnswer | ApprovalReply,
    within: readonly string[] = [],
  ): ChildProcessWithoutNullStreams {
    this.handOver()
    const [file = '', ...args] = [...within, process.execPath, program]
    const child = spawn(file, args, { ...this.identity, cwd: this.root, env: this.env, stdio: 'pipe' })
    child.stdin.end(this.#session(answers, options, consent))
    return child
  }

  #session(answers: readonly string[], options: HermesOptions, consent?: ApprovalAnswer | ApprovalReply): string {
    const session: Session = {
      answers, options: { root: this.root, policy: false, ...options }, consent, env: this.env, cwd: this.root,
    }
    return `${JSON.stringify(session)}\n`
  }
}

/** An answer with one command. */
export function command(line: string, more: Record<string, unknown> = {}): string {
  return `<tool_call>${JSON.stringify({ name: 'execute_command', arguments: { command: line, ...more } })}</tool_call>\n`
}

/** The command line that runs Python code; it must hold no single quote. */
export function python(code: string): string {
  return `python3 -c '${code}'`
}

/** A command line that runs another where these are mounted, each a file system in memory. */
export function makesMounts(mounts: readonly (readonly [at: string, options: string])[]): string[] {
  const script = 'set -e; while [ "$1" != -- ]; do mkdir -p "$1"; mount -t tmpfs -o "mode=777,$2" x "$1"; shift 2; done; shift; exec "$@"'
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', ...mounts.flat(), '--']
}
