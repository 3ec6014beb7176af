import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { countTokens } from '../repair/count-tokens.js'
import type { ModelRequest, ModelServer } from '../../comp/6-agent/test/agent/support/model-server.js'
import { startTerminal, type TestTerminal } from '../../test/support/pty-screen.js'
import { problemsOf } from './conversation.js'
import { answerOf, writtenBy, type Play, type Style } from './script.js'

const IDENTITY = {
  GIT_AUTHOR_NAME: 'u', GIT_AUTHOR_EMAIL: 'u@example.org',
  GIT_COMMITTER_NAME: 'u', GIT_COMMITTER_EMAIL: 'u@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1',
}
/** Whoever masks secrets has to find it: it is in the environment of hermes, and in a file that the model reads. */
export const KEY = 'sk-day-0123456789abcdefghij'

export interface Ended {
  stdout: string
  stderr: string
  code: number | null
  requests: readonly ModelRequest[]
}

export interface Running {
  child: ChildProcess
  requests(): readonly ModelRequest[]
  ended: Promise<Ended>
}

export interface Chat extends TestTerminal {
  requests(): readonly ModelRequest[]
  /** Types a line and Enter, and waits for what it brings about. */
  say(line: string, until: string | RegExp): Promise<void>
  leave(): Promise<void>
}

export interface Sums {
  tasks: number
  requests: number
  bytesSent: number
  bytesReceived: number
  tokensSent: number
  tokensReceived: number
}

export interface DayPrograms {
  /** Path of the built command. */
  cli: string
  style: Style
  /** Path of the program that stands in for docker. */
  dockerStandIn: string
}

/** A root with git, a home of its own, and the command as it was built; what is expected is counted. */
export class Day {
  readonly place = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-day-')))
  readonly root = join(this.place, 'project')
  readonly home = join(this.place, 'home')
  readonly style: Style
  /** Path of the program that stands in for docker. */
  readonly dockerStandIn: string
  readonly wrong: string[] = []
  readonly sums: Sums = { tasks: 0, requests: 0, bytesSent: 0, bytesReceived: 0, tokensSent: 0, tokensReceived: 0 }
  checks = 0
  /** Of the environment in this step, over that of the day. */
  environment: Record<string, string> = {}
  readonly #cli: string
  readonly #server: ModelServer
  readonly #open = new Set<() => void>()
  /** Of this step, each with how many of its answers nobody asked for. */
  readonly #left = new Map<string, () => number>()
  #models = 0
  #step = ''

  constructor({ cli, style, dockerStandIn }: DayPrograms, server: ModelServer) {
    this.#cli = cli
    this.#server = server
    this.style = style
    this.dockerStandIn = dockerStandIn
    for (const directory of [this.root, this.home]) mkdirSync(directory)
    writeFileSync(join(this.home, 'config.yaml'), `style: ${style}\nmax_retries: 1\n`, { mode: 0o600 })
    this.write('README.md', '# Sums\n')
    this.git('init', '-q', '-b', 'main')
    this.git('add', '-A')
    this.git('commit', '-q', '-m', 'start')
  }

  begin(step: string): void {
    this.#step = step
    this.environment = {}
  }

  /** Looks whether something is as expected; the day goes on where it is not. */
  expect(what: string, actual: unknown, wanted: unknown): void {
    this.checks++
    if (isDeepStrictEqual(actual, wanted)) return
    const [is, should] = [actual, wanted].map((value) => JSON.stringify(value))
    this.wrong.push(`${this.style}, ${this.#step}: ${what}\n  is     ${is}\n  wanted ${should}`)
  }

  holds(what: string, text: string, ...parts: (string | RegExp)[]): void {
    for (const part of parts) {
      const isThere = typeof part === 'string' ? text.includes(part) : part.test(text)
      this.expect(`${what} holds ${part}`, isThere ? String(part) : text.slice(-2000), String(part))
    }
  }

  lacks(what: string, text: string, ...parts: string[]): void {
    for (const part of parts) this.expect(`${what} does not hold ${part}`, text.includes(part), false)
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), content)
  }

  /** Contents; `undefined` for files that are not there. */
  files(...paths: string[]): (string | undefined)[] {
    return paths.map((path) => join(this.root, path))
      .map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined))
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.root, env: this.#environment(), encoding: 'utf8' }).trimEnd()
  }

  log(): string[] {
    return this.git('log', '--format=%s').split('\n')
  }

  status(): string[] {
    return this.git('status', '--porcelain', '--untracked-files=all').split('\n').filter((line) => line !== '')
  }

  /** All files of the home, one behind the other: conversations, jobs, journals' keys. */
  kept(): string {
    return readdirSync(this.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n')
  }

  /** @throws where it does not come */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const latest = performance.now() + 60_000
    while (!await isSo()) {
      if (performance.now() > latest) throw new Error(`${what} did not come`)
      await sleep(20)
    }
  }

  /** Whether a process has this among its arguments. Known on Linux alone. */
  runs(part: string): boolean {
    if (process.platform !== 'linux') return false
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(part)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return false
        throw error
      }
    })
  }

  /** A model of its own that says this, one turn a request. Turns that end in words end a task, which is counted. */
  model(play: Play, counts = false): string {
    const model = `${this.style}-${++this.#models}`
    let next = 0
    this.#left.set(model, () => play.length - next)
    this.#server.improvise(model, (request) => {
      const scripted = play[next++]
      if (scripted === undefined) return undefined
      const turn = typeof scripted === 'function' ? scripted(request) : scripted
      const answer = answerOf(turn, this.style)
      if (counts) this.#count(request, writtenBy(answer), (turn.calls ?? []).length === 0)
      return answer
    })
    return model
  }

  #count(request: ModelRequest, written: string, isDone: boolean): void {
    const sent = JSON.stringify(request)
    this.sums.requests++
    this.sums.bytesSent += Buffer.byteLength(sent)
    this.sums.bytesReceived += Buffer.byteLength(written)
    this.sums.tokensSent += countTokens(sent)
    this.sums.tokensReceived += countTokens(written)
    if (isDone) this.sums.tasks++
  }

  /** A question with `-q`, to its end. */
  async ask(question: string, play: Play, flags: readonly string[] = [], counts = false): Promise<Ended> {
    return this.start(['chat', '-q', question, ...flags], play, counts).ended
  }

  async hermes(...args: string[]): Promise<Ended> {
    return this.#spawn(args, 'none').ended
  }

  start(args: readonly string[], play: Play, counts = false): Running {
    return this.#spawn(args, this.model(play, counts))
  }

  #spawn(args: readonly string[], model: string): Running {
    const child = spawn(process.execPath, [this.#cli, ...args], {
      cwd: this.root, env: this.#environment(model), stdio: ['ignore', 'pipe', 'pipe'],
    })
    const kill = (): void => void child.kill('SIGKILL')
    this.#open.add(kill)
    const requests = (): readonly ModelRequest[] => this.#server.requests(model)
    const code = new Promise<number | null>((resolve) => child.once('close', resolve))
    const ended = Promise.all([readText(child.stdout), readText(child.stderr), code]).then(([stdout, stderr, exit]) => {
      this.#open.delete(kill)
      return { stdout, stderr, code: exit, requests: requests() }
    })
    return { child, requests, ended }
  }

  /** `hermes chat` at a terminal. */
  async chat(play: Play, flags: readonly string[] = [], counts = false): Promise<Chat> {
    const model = this.model(play, counts)
    const terminal = startTerminal(process.execPath, [this.#cli, 'chat', ...flags], {
      cwd: this.root, env: { ...this.#environment(model), NO_COLOR: '1' }, columns: 100, rows: 200,
    })
    this.#open.add(terminal.close)
    await terminal.waitFor(/^>/m)
    return {
      ...terminal, requests: () => this.#server.requests(model),
      say: async (line, until) => {
        // What is waited for may stand there already.
        const count = (): number => terminal.everything().split(until).length
        const before = count()
        terminal.type(`${line}\r`)
        await terminal.waitFor(() => count() > before).catch((error: unknown) => {
          throw new Error(`After ${JSON.stringify(line)} no ${until}: ${String(error)}`)
        })
      },
      leave: async () => {
        terminal.type('\x03\x04')
        const { exitCode } = await terminal.exited
        this.expect('the chat ends well', exitCode, 0)
        terminal.close()
        this.#open.delete(terminal.close)
      },
    }
  }

  /** At the end of each step: what the server was sent, and what git holds. */
  settle({ refs, log, status }: { refs?: string[]; log?: string[]; status?: string[] }): void {
    for (const [model, left] of this.#left) {
      const sent = this.#server.requests(model)
      for (const request of sent) this.expect(`what ${model} was sent`, problemsOf(request), [])
      this.expect(`answers that ${model} was not asked for`, left(), 0)
    }
    this.#left.clear()
    if (refs) this.expect('refs', this.git('for-each-ref', '--format=%(refname)').split('\n'), refs)
    if (log) this.expect('the history', this.log(), log)
    if (status) this.expect('the status', this.status(), status)
    this.expect('locks left', existsSync(join(this.root, '.hermes/lock')), false)
  }

  /** Kills what still runs. */
  endAll(): void {
    for (const end of this.#open) end()
    this.#open.clear()
  }

  close(): void {
    this.endAll()
    rmSync(this.place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  #environment(model = 'none'): Record<string, string> {
    const { PATH = '', LANG = 'C.UTF-8' } = process.env
    return {
      PATH, LANG, HOME: this.place, HERMES_HOME: this.home, OPENAI_BASE_URL: this.#server.url, OPENAI_API_KEY: KEY,
      HERMES_MODEL: model, ...IDENTITY, ...this.environment,
    }
  }
}
