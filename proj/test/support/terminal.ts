import { onTestFinished } from 'vitest'
import { needing } from './needs.js'
import { startTerminal, type TerminalProgram, type TestTerminal } from './pty-screen.js'

export type { TestTerminal } from './pty-screen.js'

/** Tests at a terminal. */
export function describeWithTerminal(name: string, tests: () => void): void {
  needing('node-pty').describe(name, tests)
}

/** Starts a program at a terminal whose screen can be read. Killed when the test ends. */
export function openTerminal(program: string, args: readonly string[], place: TerminalProgram): TestTerminal {
  const terminal = startTerminal(program, args, place)
  onTestFinished(() => terminal.close())
  return terminal
}
