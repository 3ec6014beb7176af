/** Tells a process that it works for a worker, and where it makes its workspaces. */
const DIRECTORY = 'HERMES_WORKER_DIRECTORY'

/** What runs there is not to find the credentials of the queue and the store. */
export function childEnvironment(directory: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env)
    .filter(([name]) => name !== 'HERMES_QUEUE_PASSWORD' && !name.startsWith('AWS_'))
  return { ...Object.fromEntries(kept), [DIRECTORY]: directory }
}

/** Where this process works for a worker: where it makes its workspaces, and what ends them. */
export function servedDirectory(): { directory: string; controller: AbortController } | undefined {
  const directory = process.env[DIRECTORY]
  if (directory === undefined || !process.send) return undefined
  delete process.env[DIRECTORY]
  // A signal of the terminal reaches the whole group: what to do about it, the worker says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  return { directory, controller: new AbortController() }
}
