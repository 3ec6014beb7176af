import { fork, type ChildProcess } from 'node:child_process'
import { trustedEnvironment, type Environment } from './environment.js'

/** A process of this same command, which is spoken to by messages. */
export type WorkerProcess = ChildProcess

/** Starts a script of hermes, as another process of the same work; what it reports comes to our own errors. */
export function startWorker(script: string, args: readonly string[], env: Environment): WorkerProcess {
  // Its commands find in PATH what they would find here; code that the environment names may have changed since.
  const { PATH: _path, ...others } = env
  const given = { ...trustedEnvironment(others), ...(env['PATH'] !== undefined && { PATH: env['PATH'] }) }
  return fork(script, [...args], { env: given, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

/**
 * Ends a worker by leaving it, and waits until it is gone.
 *
 * @param graceMs so long it may take; then it hears nothing any more, and is killed
 */
export async function endWorker(child: WorkerProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  if (child.connected) child.disconnect()
  else child.kill('SIGKILL')
  const impatience = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await gone
  clearTimeout(impatience)
}
