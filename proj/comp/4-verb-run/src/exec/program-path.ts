import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type CommandSandbox, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import { findProgram } from '../../../2-processes/src/index.js'

/**
 * Resolves an executable as written: a bare name is left to be looked up in PATH; a path may be below the root, also
 * under an alias, or anywhere else on the machine, since commands are bound by the sandbox rather than the path gate. A
 * link in the last component is kept: programs look at the name they are started by.
 */
export function programPath(written: string, { gate, session }: Pick<VerbContext, 'gate' | 'session'>): string {
  if (!isPath(written)) return written
  const directory = approveIfAllowed(gate, dirname(written), 'read')
  return directory === undefined ? resolve(session.root, written) : join(directory, basename(written))
}

/**
 * Whether a command may find a program. A sandbox shows no more than this machine has; what a container or another host
 * has is not known here.
 *
 * @param program as returned by `programPath`
 */
export function mayBeFound(program: string, root: string, sandbox: CommandSandbox): boolean {
  if (sandbox.local !== sandbox) return true
  if (isPath(program)) return existsSync(program)
  try {
    findProgram(program, process.env['PATH'] ?? '', root)
    return true
  } catch (error) {
    if (!isNodeError(error)) throw error
    return error.code !== 'ENOENT'
  }
}

/** The error for a program that does not exist. */
export function missingProgram(verb: string, written: string, program: string): HermesError {
  if (!isPath(written)) {
    const [first = '', ...rest] = written.split(/\s+/)
    const hint = rest.length === 0 || first === ''
      ? 'Give the name of an installed program, or the path of one: ./name starts at the root.'
      : `Give the program alone, "${first}", and the rest as its arguments.`
    return new HermesError('ENOENT', `${verb}: ${written} not found in PATH (ENOENT)`, { hint })
  }
  if (existsSync(program)) {
    return new HermesError('ENOENT', `${verb}: the interpreter of ${written} is missing (ENOENT)`, {
      hint: 'Its first line (#!) names a program that is not installed: start one that is, with the file as argument.',
    })
  }
  return new HermesError('ENOENT', `${verb}: ${written} does not exist (ENOENT)`, {
    hint: 'A path starts at the root unless it is absolute; a name without a slash is looked for in PATH.',
  })
}

function isPath(written: string): boolean {
  return written.includes('/') || (process.platform === 'win32' && written.includes('\\'))
}
