/** A command in a container of its own; paths of the machine are absolute and canonical. */
export interface ContainerCall {
  image: string
  /** Unique: the container is ended by it. */
  name: string
  /** Read and written, at the same path or at `at`. */
  mounts: readonly { from: string; at: string; readOnly: boolean }[]
  /** In the container. */
  cwd: string
  network: boolean
  user: { uid: number; gid: number } | undefined
  processes: number
  memoryBytes: number
  fileBytes: number
  env: Readonly<Record<string, string>>
  command: readonly string[]
  /** Its standard streams are a terminal, in the container too. */
  terminal?: boolean
}

/** Arguments of `docker` that run the command in a new container without capabilities. */
export function dockerArguments(call: ContainerCall): string[] {
  const {
    image, name, mounts, cwd, network, user, processes, memoryBytes, fileBytes, env, command, terminal = false,
  } = call
  return [
    'run', '--rm', '--init', ...(terminal ? ['--interactive', '--tty'] : []), '--name', name, '--pull', 'missing',
    ...(network ? [] : ['--network', 'none']),
    '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges',
    '--pids-limit', String(processes), '--memory', String(memoryBytes), '--memory-swap', String(memoryBytes),
    '--ulimit', `fsize=${fileBytes}`, '--ulimit', 'core=0',
    ...(user === undefined ? [] : ['--user', `${user.uid}:${user.gid}`]),
    '--read-only', '--tmpfs', '/tmp:rw,exec,mode=1777,size=1g', '--env', 'HOME=/tmp',
    ...mounts.flatMap(({ from, at, readOnly }) => ['--mount', csv(
      ['type=bind', `source=${from}`, `target=${at}`, ...(readOnly ? ['readonly'] : [])],
    )]),
    ...Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    '--workdir', cwd, '--entrypoint', '', image, ...command,
  ]
}

/** Arguments of `singularity` (or `apptainer`) that run the command in the image, contained. */
export function singularityArguments({ image, mounts, cwd, network, env, command }: ContainerCall): string[] {
  return [
    'exec', '--containall', '--cleanenv', '--no-privs', '--writable-tmpfs',
    ...(network ? [] : ['--net', '--network', 'none']),
    ...mounts.flatMap(({ from, at, readOnly }) => ['--mount', csv(
      ['type=bind', `source=${from}`, `destination=${at}`, ...(readOnly ? ['ro'] : [])],
    )]),
    ...Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    '--pwd', cwd, image, ...command,
  ]
}

/** One record of comma-separated values, as `--mount` of both takes it. */
function csv(fields: readonly string[]): string {
  return fields.map(field => /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field).join(',')
}
