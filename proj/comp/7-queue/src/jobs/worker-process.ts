/** Tells a process that it works for a worker, and where it makes its workspaces. */
const DIRECTORY = 'HERMES_WORKER_DIRECTORY'

/** What runs there is not to find the credentials of the queue and the store. */
export function childEnvironment(directory: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env)
    .filter(([name]) => name !== 'HERMES_QUEUE_PASSWORD' && !name.startsWith('AWS_'))
  return { ...Object.fromEntries(kept), [DIRECTORY]: directory }
}

/**
 * Where this process works for another: where it makes its workspaces, and what ends them.
 *
 * @param variable that names the directory. Default: that of workers on a queue
 */
export function servedDirectory(
  variable = DIRECTORY,
): { directory: string; controller: AbortController } | undefined {
  const directory = process.env[variable]
  if (directory === undefined || !process.send) return undefined
  delete process.env[variable]
  // A signal of the terminal reaches the whole group: what to do about it, the parent says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  return { directory, controller: new AbortController() }
}
