/** What a process has that works for another. */
export interface Served {
  /** Where it makes its workspaces. */
  directory: string
  signal: AbortSignal
  /** Aborts the signal. */
  stop: () => void
}

/**
 * If this process works for another: serves until that is gone.
 *
 * @param variable of the environment, which makes it one, and names the directory
 * @returns whether it was one
 */
export async function serveIfStarted(variable: string, serve: (served: Served) => Promise<void>): Promise<boolean> {
  const directory = process.env[variable]
  if (directory === undefined || !process.send) return false
  delete process.env[variable]
  // A signal of the terminal reaches the whole group: what to do about it, the parent says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const controller = new AbortController()
  await serve({ directory, signal: controller.signal, stop: () => controller.abort() })
  return true
}
