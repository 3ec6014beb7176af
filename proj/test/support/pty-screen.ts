import xterm from '@xterm/headless'

type Pty = typeof import('@lydell/node-pty')

/** A prebuilt binary that is not there for every platform. */
const pty = await import('@lydell/node-pty').then(
  (found: Pty & { default?: Pty }) => found.default ?? found, () => undefined,
)
const DEADLINE_MS = 20_000

export interface TerminalProgram {
  cwd: string
  /** All of it. */
  env: Record<string, string>
  /** Default 100. */
  columns?: number
  /** Default 30. */
  rows?: number
}

export interface TestTerminal {
  readonly pid: number
  /** What can be seen, without spaces at the ends of lines and without empty lines at the end. */
  screen(): string
  /** The same with what has scrolled away. */
  everything(): string
  /** The same row by row: what the terminal has wrapped stays so. */
  rows(): string
  /** All that the program wrote, with its escape sequences. */
  written(): string
  /** As keys: `\r` is Enter, `\x03` Ctrl-C. */
  type(keys: string): void
  /** As terminals paste: between marks where the program has asked for them, line breaks as Enter. */
  paste(text: string): void
  resize(columns: number, rows: number): void
  /** Resolves to the screen once it holds `what`, rejects with it when that takes too long. */
  waitFor(what: string | RegExp | ((screen: string) => boolean)): Promise<string>
  readonly exited: Promise<{ exitCode: number; signal: number | undefined }>
  /** Kills the program where it still runs, and lets go of the screen. */
  close(): void
}

/** Starts a program at a pseudo terminal of its own, whose screen `@xterm/headless` draws. */
export function startTerminal(
  program: string, args: readonly string[], { cwd, env, columns = 100, rows = 30 }: TerminalProgram,
): TestTerminal {
  if (!pty) throw new Error('@lydell/node-pty is not installed for this platform')
  const display = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true })
  const child = pty.spawn(program, [...args], { cwd, env: { TERM: 'xterm-256color', ...env }, cols: columns, rows })
  const looks = new Set<() => void>()
  let hasEnded = false
  let written = ''
  child.onData((data) => { written += data })
  child.onData((data) => display.write(data, () => looks.forEach((look) => look())))
  // What programs ask the terminal, it answers.
  display.onData((answer) => child.write(answer))
  const exited = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      hasEnded = true
      display.write('', () => resolve({ exitCode, signal }))
    })
  })
  const text = (from: number, joins = true): string => {
    const { active } = display.buffer
    const lines: string[] = []
    for (let row = from; row < active.length; row++) {
      const line = active.getLine(row)
      const shown = line?.translateToString(true) ?? ''
      if (joins && line?.isWrapped === true && lines.length > 0) lines.push(`${lines.pop() ?? ''}${shown}`)
      else lines.push(shown)
    }
    return lines.join('\n').trimEnd()
  }
  const screen = (): string => text(display.buffer.active.baseY)
  return {
    pid: child.pid,
    screen,
    everything: () => text(0),
    written: () => written,
    rows: () => text(0, false),
    type: (keys) => child.write(keys),
    paste(pasted) {
      const keys = pasted.replace(/\r?\n/g, '\r')
      child.write(display.modes.bracketedPasteMode ? `\x1b[200~${keys}\x1b[201~` : keys)
    },
    resize(width, height) {
      child.resize(width, height)
      display.resize(width, height)
    },
    async waitFor(what) {
      const isThere = (shown: string): boolean => (
        typeof what === 'string' ? shown.includes(what) : what instanceof RegExp ? what.test(shown) : what(shown)
      )
      return new Promise((resolve, reject) => {
        const end = (): void => {
          looks.delete(look)
          clearTimeout(timer)
        }
        const look = (): void => {
          const shown = screen()
          if (!isThere(shown)) return
          end()
          resolve(shown)
        }
        const timer = setTimeout(() => {
          end()
          reject(new Error(`${String(what)} did not come up. The terminal shows:\n${text(0)}`))
        }, DEADLINE_MS)
        looks.add(look)
        look()
      })
    },
    exited,
    close() {
      if (!hasEnded) child.kill('SIGKILL')
      display.dispose()
    },
  }
}
