import { LiveStatus } from '../../../2-terminal/src/index.js'
import { beforeOutput, isPlain, isTerminal, printOver, wantsColour } from './output.js'

/** Nothing else runs meanwhile. */
const ONLY = 'task'

let status: LiveStatus | undefined

/** Shows at the terminal what runs; one for the whole process. `undefined` where standard output is none. */
export function liveStatus(): LiveStatus | undefined {
  if (status || !isTerminal('stdout')) return status
  const { stdout } = process
  const live = new LiveStatus({
    output: {
      get columns() { return stdout.columns || 80 }, get rows() { return stdout.rows || 24 }, write: printOver,
    },
    colour: wantsColour(), isPlain: isPlain(),
  })
  // Whatever is printed in between stands above.
  beforeOutput(() => live.hide())
  status = live
  return live
}

/**
 * Shows what a task is that prints nothing before its end.
 *
 * @param title asked for only where it is shown
 * @param isShown else the task only runs
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

/** Nothing is shown of what runs while a task has the terminal. */
export async function asideOfStatus<T>(task: () => Promise<T>): Promise<T> {
  return status ? status.aside(task) : task()
}
