import { spawnSync } from 'node:child_process'
import { isNodeError } from '../../contracts/src/index.js'
import { environmentOf, listPids } from '../../process-identity/src/index.js'

/** Whether a process leads a group of its own, which can be ended as one. Windows has no groups. */
export const HAS_GROUPS = process.platform !== 'win32'

/**
 * Kills the group of a process at once, and on Linux also what left the group and carries the mark in its environment.
 *
 * @param pid leader of the group
 * @param mark `NAME=value`
 */
export async function killAll(pid: number, mark: string): Promise<void> {
  if (!HAS_GROUPS) {
    const { execa } = await import('execa')
    await execa('taskkill', ['/pid', String(pid), '/T', '/F'], { reject: false, stdio: 'ignore' })
    return
  }
  killGroup(pid, mark)
}

const held = new Map<number, string>()

/**
 * Who ends hermes at once (a second Ctrl-C) leaves nothing of an extension either.
 * @returns to be called when it is gone
 */
export function killWhenHermesExits(pid: number, mark: string): () => void {
  if (held.size === 0) process.once('exit', killHeld)
  held.set(pid, mark)
  return () => {
    held.delete(pid)
    if (held.size === 0) process.off('exit', killHeld)
  }
}

function killHeld(): void {
  for (const [pid, mark] of held) {
    if (HAS_GROUPS) killGroup(pid, mark)
    else spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  }
}

function killGroup(pid: number, mark: string): void {
  // Found first: what is killed leaves its children to others.
  const escaped = process.platform === 'linux' ? markedProcesses(mark) : []
  kill(-pid)
  for (const one of escaped) kill(one)
  // What they started in between.
  if (escaped.length > 0) for (const one of markedProcesses(mark)) kill(one)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // Gone, or nothing that we may signal.
    if (!isNodeError(error) || (error.code !== 'ESRCH' && error.code !== 'EPERM')) throw error
  }
}

function markedProcesses(mark: string): number[] {
  return listPids().filter(pid => environmentOf(pid).split('\0').includes(mark))
}
