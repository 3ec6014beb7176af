import type { ProgramCall } from '../../../0-contracts/src/index.js'

/** How a command line is handed to a shell. */
export interface ShellCall extends Pick<ProgramCall, 'args' | 'isVerbatim'> {
  /** Shells to try, best first. */
  programs: readonly string[]
}

/** The platform's shell: bash, else the POSIX one; cmd on Windows, where a `bash` may be that of another system. */
export function shellCall(command: string): ShellCall {
  if (process.platform === 'win32') {
    // As Node's own `shell: true`: cmd takes all between the outer quotes literally.
    const shell = process.env['ComSpec'] ?? 'cmd.exe'
    return { programs: [shell], args: ['/d', '/s', '/c', `"${command}"`], isVerbatim: true }
  }
  // A leading dash or plus would be an option of the shell.
  return { programs: ['bash', 'sh'], args: ['-c', /^[-+]/.test(command) ? ` ${command}` : command] }
}
