import { LiveStatus } from '../../../2-terminal/src/index.js'
import { beforeOutput, isPlain, isTerminal, printOver, wantsColour } from './output.js'

/** Key of the only running task. */
const ONLY = 'task'

let status: LiveStatus | undefined

/** The status line at the terminal, one for the whole process; `undefined` where standard output is not a terminal. */
export function liveStatus(): LiveStatus | undefined {
  if (status || !isTerminal('stdout')) return status
  const { stdout } = process
  const live = new LiveStatus({
    output: {
      get columns() { return stdout.columns || 80 }, get rows() { return stdout.rows || 24 }, write: printOver,
    },
    colour: wantsColour(), isPlain: isPlain(),
  })
  // Other output goes above the status line.
  beforeOutput(() => live.hide())
  status = live
  return live
}

/**
 * Runs a task with its title in the status line, for a task that prints nothing before its end.
 *
 * @param title computed only if shown
 * @param isShown otherwise the task just runs
 */
export async function whileShown<T>(title: () => string, isShown: boolean, task: () => Promise<T>): Promise<T> {
  const live = isShown ? liveStatus() : undefined
  live?.start(ONLY, title())
  try {
    return await task()
  } finally {
    live?.stop()
  }
}

/** Shows the latest output of `whileShown`'s task. */
export function showPrinted(lines: readonly string[]): void {
  status?.calls.printed(ONLY, lines)
}

/** Hides the status line while a task uses the terminal. */
export async function asideOfStatus<T>(task: () => Promise<T>): Promise<T> {
  return status ? status.aside(task) : task()
}
