import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { trustedPath } from './trusted-path.js'

/** Longest first line of a script, in bytes. */
const FIRST_LINE = 256

/**
 * The absolute path of a program: a name is searched in PATH as the system would do, a path is taken as it is. Used
 * outside the sandbox, since a sandbox cannot report what was wrong.
 *
 * @param from base of relative directories in PATH; without it they are skipped
 * @throws Node's error as from `spawn`: `ENOENT` also for a script whose interpreter is missing, `EACCES`
 */
export function findProgram(file: string, path: string, from?: string): string {
  if (isAbsolute(file)) {
    const problem = problemOf(file)
    if (problem !== undefined) throw spawnError(file, problem)
    return file
  }
  // Windows starts `name.exe` for `name`, and scripts such as `npm.cmd` by a shell.
  const names = process.platform === 'win32' && !file.includes('.') ? [`${file}.exe`, `${file}.cmd`] : [file]
  let worst = 'ENOENT'
  for (const directory of path.split(delimiter)) {
    if (from === undefined && !isAbsolute(directory)) continue
    for (const name of names) {
      const candidate = join(from === undefined ? directory : resolve(from, directory), name)
      const problem = problemOf(candidate)
      if (problem === undefined) return candidate
      if (problem === 'EACCES') worst = problem
    }
  }
  throw spawnError(file, worst)
}

/** Path of a program for hermes' own use; `undefined` where only directories have it that models may write to. */
export function ownProgram(name: string): string | undefined {
  return orNothing(() => findProgram(name, trustedPath(process.env['PATH'] ?? '')), undefined)
}

/** Node's code for why a file cannot be started, or `undefined`. */
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

/** The interpreter in the `#!` line of a script; nothing for a relative path, or a file that cannot be read. */
function interpreterOf(file: string): string | undefined {
  const bytes = Buffer.alloc(FIRST_LINE)
  // An executable file need not be readable.
  const descriptor = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK), undefined)
  if (descriptor === undefined) return undefined
  try {
    const text = bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0))
    return /^#![ \t]*(\/[^\s]*)/.exec(text)?.[1]
  } finally {
    closeSync(descriptor)
  }
}

/** An error in the form of Node's own. */
function spawnError(file: string, code: string): Error {
  return Object.assign(new Error(`spawn ${file} ${code}`), { code, syscall: `spawn ${file}`, path: file })
}
