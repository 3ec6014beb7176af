import { ownEnvironment } from './environment.js'
import { run } from './run-collected.js'
import { runNow } from './run-now.js'

/** Ends a program and all below it, on Windows. */
export async function endWindowsTree(pid: number): Promise<void> {
  await run({ program: 'taskkill', args: argumentsFor(pid), env: ownEnvironment() })
}

/** The same without waiting for a turn of the event loop: hermes is about to end. */
export function endWindowsTreeNow(pid: number): void {
  runNow({ program: 'taskkill', args: argumentsFor(pid), env: ownEnvironment(), stdio: 'ignore' })
}

function argumentsFor(pid: number): string[] {
  return ['/pid', String(pid), '/T', '/F']
}
