import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNodeError, orNothing } from '../../contracts/src/index.js'

/**
 * A directory for what a worker keeps while it runs: the trees it fetched and the workspaces. Those of workers of this host
 * that were killed are removed.
 */
export function openWorkerDirectory(): { directory: string; remove: () => void } {
  const host = hostname().replaceAll(/[^\w.]/g, '_')
  const begins = `hermes-worker-${host}-`
  for (const name of orNothing(() => readdirSync(tmpdir()), [])) {
    const pid = name.startsWith(begins) ? /^(\d+)-\w{6}$/.exec(name.slice(begins.length))?.[1] : undefined
    if (pid !== undefined && !isAlive(Number(pid)) && isOwn(join(tmpdir(), name))) removeTree(join(tmpdir(), name))
  }
  const directory = mkdtempSync(join(tmpdir(), `${begins}${process.pid}-`))
  return { directory, remove: () => removeTree(directory) }
}

function removeTree(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
}

function isOwn(path: string): boolean {
  return orNothing(() => {
    const stat = lstatSync(path)
    return stat.isDirectory() && (process.getuid === undefined || stat.uid === process.getuid())
  }, false)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (!isNodeError(error)) throw error
    return error.code !== 'ESRCH'
  }
}
