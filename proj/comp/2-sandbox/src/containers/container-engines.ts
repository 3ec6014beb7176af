import { isRecord, parseJson } from '../../../0-contracts/src/index.js'
import type { ResourceLimits } from '../resource-limits.js'

/** A container of a task; paths of the machine are absolute and canonical. */
export interface ContainerStart extends Pick<ResourceLimits, 'processes' | 'memoryBytes' | 'fileBytes'> {
  image: string
  /** Unique: all else asks for the container by it. */
  name: string
  /** Which hermes it is of (`processMark`). */
  owner: string
  /** Read and written, at the same path or at `at`. */
  mounts: readonly { from: string; at: string; readOnly: boolean }[]
  /** In the container. */
  cwd: string
  network: boolean
  user: { uid: number; gid: number } | undefined
}

/** A command in a container that runs. */
export interface ContainerExec {
  name: string
  /** In the container. */
  cwd: string
  env: Readonly<Record<string, string>>
  command: readonly string[]
  /** Its standard streams are a terminal, in the container too. */
  terminal?: boolean
}

/** What is asked of a program that keeps containers, as its arguments. */
export interface ContainerEngine {
  /** Succeeds where it works. */
  readonly probe: readonly string[]
  start(call: ContainerStart): string[]
  exec(call: ContainerExec): string[]
  /** Ends the container with all that runs in it; nothing of it is left. */
  end(name: string): string[]
  /** Prints something that `isUp` knows. */
  state(name: string): string[]
  isUp(printed: string, name: string): boolean
  /** Prints what `owned` reads. */
  list(): string[]
  /** Containers of any hermes, with their owners. */
  owned(printed: string): { name: string; owner: string }[]
  /** Prints something that fits `says` where root in a container is the user outside, and nobody else there is. */
  readonly rootless?: { args: readonly string[]; says: RegExp }
  /** Prints the processes in a container, a line each after the first; `undefined` where none does. */
  processes?(name: string): string[]
}

/** Processes and commands of a container have it in their environment: whose they are. */
export const OWNER_VARIABLE = 'HERMES_CALL'
/** What docker's label is called that names the hermes a container is of. */
const LABEL = 'hermes.process'
/** Runs until it is ended, in every image. */
const NOTHING = ['tail', '-f', '/dev/null']

/** Docker, and podman under its name. */
const DOCKER: ContainerEngine = {
  probe: ['version'],
  start: ({ image, name, owner, mounts, cwd, network, user, processes, memoryBytes, fileBytes }) => [
    'run', '--detach', '--rm', '--init', '--name', name, '--label', `${LABEL}=${owner}`, '--pull', 'missing',
    ...(network ? [] : ['--network', 'none']),
    '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges',
    '--pids-limit', String(processes), '--memory', String(memoryBytes), '--memory-swap', String(memoryBytes),
    '--ulimit', `fsize=${fileBytes}`, '--ulimit', 'core=0',
    ...(user === undefined ? [] : ['--user', `${user.uid}:${user.gid}`]),
    '--env', 'HOME=/tmp', '--env', `${OWNER_VARIABLE}=${name}`,
    ...mounts.flatMap(({ from, at, readOnly }) => ['--mount', csv(
      ['type=bind', `source=${from}`, `target=${at}`, ...(readOnly ? ['readonly'] : [])],
    )]),
    '--workdir', cwd, '--entrypoint', '', image, ...NOTHING,
  ],
  exec: ({ name, cwd, env, command, terminal = false }) => [
    'exec', ...(terminal ? ['--interactive', '--tty'] : []), '--workdir', cwd, ...variables(env), name, ...command,
  ],
  end: name => ['rm', '--force', name],
  state: name => ['container', 'inspect', '--format', '{{.State.Running}}', name],
  isUp: printed => printed.trim() === 'true',
  list: () => ['ps', '--all', '--filter', `label=${LABEL}`, '--format', `{{.Names}}\t{{.Label "${LABEL}"}}`],
  owned: printed => printed.split('\n').flatMap(line => {
    const [name = '', owner] = line.split('\t')
    return owner === undefined || !/^hermes-[0-9a-f-]+$/.test(name) ? [] : [{ name, owner }]
  }),
  // Docker lists it among its options, podman as a field.
  rootless: { args: ['info'], says: /^\s*rootless(?:: true)?\s*$/m },
  processes: name => ['top', name],
}

/** Singularity, or apptainer under its name: instances. Nobody has tried this with a real one. */
const SINGULARITY: ContainerEngine = {
  probe: ['--version'],
  start: ({ image, name, mounts, network }) => [
    'instance', 'start', '--containall', '--cleanenv', '--no-privs', '--writable-tmpfs',
    ...(network ? [] : ['--net', '--network', 'none']), '--env', `${OWNER_VARIABLE}=${name}`,
    ...mounts.flatMap(({ from, at, readOnly }) => ['--mount', csv(
      ['type=bind', `source=${from}`, `destination=${at}`, ...(readOnly ? ['ro'] : [])],
    )]),
    image, name,
  ],
  exec: ({ name, cwd, env, command }) => [
    'exec', '--cleanenv', '--no-privs', ...variables(env), '--pwd', cwd, `instance://${name}`, ...command,
  ],
  end: name => ['instance', 'stop', '--signal', 'SIGKILL', name],
  state: name => ['instance', 'list', '--json', name],
  isUp: (printed, name) => instancesIn(printed).includes(name),
  list: () => ['instance', 'list', '--json'],
  owned: printed => instancesIn(printed).flatMap(name => {
    const owner = /^hermes-([0-9a-f]{16}-\d+-\d+)-[0-9a-f]+$/.exec(name)?.[1]
    return owner === undefined ? [] : [{ name, owner }]
  }),
}

export const CONTAINER_ENGINES = { docker: DOCKER, singularity: SINGULARITY } as const
export type EngineName = keyof typeof CONTAINER_ENGINES

function variables(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`])
}

function instancesIn(printed: string): string[] {
  const listed = parseJson(printed)
  const instances: unknown = isRecord(listed) ? listed['instances'] : undefined
  return !Array.isArray(instances) ? [] : instances.flatMap((instance: unknown) => (
    isRecord(instance) && typeof instance['instance'] === 'string' ? [instance['instance']] : []
  ))
}

/** One record of comma-separated values, as `--mount` of both takes it. */
function csv(fields: readonly string[]): string {
  return fields.map(field => /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field).join(',')
}
