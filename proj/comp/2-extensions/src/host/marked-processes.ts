import {
  endWindowsTree, endWindowsTreeNow, HAS_GROUPS, sendSignal, environmentOf, listPids,
} from '../../../2-processes/src/index.js'

/**
 * Kills the group of a process at once, and on Linux also what left the group and carries the mark in its environment.
 *
 * @param pid leader of the group
 * @param mark `NAME=value`
 */
export async function killAll(pid: number, mark: string): Promise<void> {
  if (HAS_GROUPS) killGroup(pid, mark)
  else await endWindowsTree(pid)
}

/** The same where nothing can be waited for. */
export function killAllNow(pid: number, mark: string): void {
  if (HAS_GROUPS) killGroup(pid, mark)
  else endWindowsTreeNow(pid)
}

function killGroup(pid: number, mark: string): void {
  // Found first: what is killed leaves its children to others.
  const escaped = process.platform === 'linux' ? markedProcesses(mark) : []
  sendSignal(-pid, 'SIGKILL')
  for (const id of escaped) sendSignal(id, 'SIGKILL')
  // What they started in between.
  if (escaped.length > 0) for (const markedProcess of markedProcesses(mark)) sendSignal(markedProcess, 'SIGKILL')
}

function markedProcesses(mark: string): number[] {
  return listPids().filter(pid => environmentOf(pid).split('\0').includes(mark))
}
