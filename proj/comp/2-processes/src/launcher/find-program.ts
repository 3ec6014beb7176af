import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { trustedPath } from './trusted-path.js'

/** Longest first line of a script, in bytes. */
const FIRST_LINE = 256

/**
 * The absolute path of a program, found as the system would find it: a name in the directories of PATH, a path as it
 * is. Asked outside the sandbox, since a sandbox cannot say what was wrong.
 *
 * @param from the directory that relative ones of PATH count from; without it, and for others, they do not count
 * @throws Node's error as `spawn` has it: `ENOENT` also for a script whose interpreter is missing, `EACCES`
 */
export function findProgram(file: string, path: string, from?: string): string {
  if (isAbsolute(file)) {
    const problem = problemOf(file)
    if (problem !== undefined) throw spawnError(file, problem)
    return file
  }
  let worst = 'ENOENT'
  for (const directory of path.split(delimiter)) {
    if (from === undefined && !isAbsolute(directory)) continue
    for (const name of fileNames(file)) {
      const candidate = join(from === undefined ? directory : resolve(from, directory), name)
      const problem = problemOf(candidate)
      if (problem === undefined) return candidate
      if (problem === 'EACCES') worst = problem
    }
  }
  throw spawnError(file, worst)
}

/** Where hermes finds a program of its own; `undefined` where no directory has it in which no model writes. */
export function ownProgram(name: string): string | undefined {
  return orNothing(() => findProgram(name, trustedPath(process.env['PATH'] ?? '')), undefined)
}

/** Windows starts `name.exe` for `name`, and scripts such as `npm.cmd` by a shell. */
function fileNames(name: string): string[] {
  return process.platform === 'win32' && !name.includes('.') ? [`${name}.exe`, `${name}.cmd`] : [name]
}

/** Node's code for what keeps a file from being started, or `undefined`. */
function problemOf(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return 'EACCES'
    accessSync(file, constants.X_OK)
    const interpreter = interpreterOf(file)
    if (interpreter !== undefined) statSync(interpreter)
    return undefined
  } catch (error) {
    if (!isNodeError(error)) throw error
    return error.code === 'ENOTDIR' ? 'ENOENT' : error.code
  }
}

/** What the `#!` line of a script names; nothing for one that names a relative path, and for what cannot be read. */
function interpreterOf(file: string): string | undefined {
  const bytes = Buffer.alloc(FIRST_LINE)
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    // What may be executed need not be readable.
    if (isNodeError(error)) return undefined
    throw error
  }
  try {
    const text = bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0))
    return /^#![ \t]*(\/[^\s]*)/.exec(text)?.[1]
  } finally {
    closeSync(descriptor)
  }
}

/** As Node's own. */
function spawnError(file: string, code: string): Error {
  return Object.assign(new Error(`spawn ${file} ${code}`), { code, syscall: `spawn ${file}`, path: file })
}
