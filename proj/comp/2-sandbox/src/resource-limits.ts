/** What one process of a command may use; what all of them may use together is watched from outside. */
export interface ResourceLimits {
  /** Processes and threads at the same time. */
  processes: number
  /** Bytes of private memory of one process, and of all together. */
  memoryBytes: number
  /** Bytes of one file. */
  fileBytes: number
  /** Seconds of processor time of one process. */
  cpuSeconds: number
}

/**
 * Sets limits of the kernel. `ulimit` counts files in 512 bytes and memory in KiB; dash calls the number of processes
 * `-p`, other shells `-u`. Memory is what a process can write (`-d`): the address space (`-v`) would also count what
 * Node and Java only reserve.
 */
const LIMITS = 'ulimit -c 0; ulimit -t "$1"; ulimit -f "$2"; ulimit -d "$3"; '
  + 'ulimit -u "$4" 2>/dev/null || ulimit -p "$4"; shift 4; '
/**
 * Waits for what the program has left running, 0.5 s at most: `program > >(tee log)`. Of the processes in the sandbox
 * the first is bubblewrap's and the second this shell. What the shell itself would say of signals is not the program's.
 */
const AWAIT = 'trap : TERM INT HUP; exec 9>&2 2>/dev/null; (exec "$@" 2>&9 9>&-); s=$?; '
  + 'for n in 0 1 2 3 4 5 6 7 8 9; do set -- /proc/[0-9]*; [ $# -gt 2 ] || break; sleep 0.05; done; exit $s'

/** The command that runs a program under limits: a POSIX shell that becomes it. What it leaves running goes on. */
export function limited(limits: ResourceLimits, file: string, args: readonly string[]): string[] {
  return wrapped(`${LIMITS}exec "$@"`, limits, file, args)
}

/** The same in a namespace of processes, which ends when the command does: a shell that waits for the program. */
export function awaited(limits: ResourceLimits, file: string, args: readonly string[]): string[] {
  return wrapped(`${LIMITS}${AWAIT}`, limits, file, args)
}

function wrapped(script: string, limits: ResourceLimits, file: string, args: readonly string[]): string[] {
  const { cpuSeconds, fileBytes, memoryBytes, processes } = limits
  const figures = [cpuSeconds, Math.ceil(fileBytes / 512), Math.ceil(memoryBytes / 1024), processes]
  return ['/bin/sh', '-c', script, 'sh', ...figures.map(String), file, ...args]
}
