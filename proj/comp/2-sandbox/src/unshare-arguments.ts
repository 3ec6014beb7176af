import type { PlannedCall } from './mounts.js'
import { NEW_ROOT, thisMachine, unsharePlan } from './unshare-plan.js'
import { ENTER, SETUP } from './unshare-script.js'

/** The programs it takes, each by its path in a directory of the system. */
export interface UnshareTools {
  unshare: string
  setpriv: string
  setsid: string
  mount: string
  umount: string
  pivot_root: string
  bash: string
  mkdir: string
  ln: string
  /** What starts the loopback device: `ip`, `ifconfig`, `perl` or `python3`. */
  loopback: string
}

export interface UnshareUser {
  uid: number
  gid: number
}

/** Descriptors of the plan, the report and the environment (`ConfinedProgram.inputs`). */
const DESCRIPTORS = { plan: 4, report: 3, environment: 5 }

/**
 * The arguments of `setpriv`, which starts the rest and ends it with hermes, and what is read from descriptors: no
 * variable of the command is in an argument, where others could read it, or in the environment of what starts outside.
 */
export function unshareArguments(
  call: PlannedCall, tools: UnshareTools, user: UnshareUser, machine = thisMachine(),
  descriptors = DESCRIPTORS,
): { args: string[]; inputs: string[] } {
  const { mounts, cwd, network, env, terminal, command } = call
  const { plan, report, environment } = descriptors
  const words = [
    NEW_ROOT, String(user.uid), String(user.gid), cwd, tools.mount, tools.umount, tools.pivot_root, tools.unshare,
    tools.setpriv, tools.bash, tools.mkdir, tools.ln, network ? '' : tools.loopback, ENTER,
    ...unsharePlan(mounts, machine, terminal).flatMap(([name, ...rest]) => [name, String(rest.length), ...rest]), 'end',
  ]
  return {
    args: [
      '--pdeathsig', 'KILL', '--', tools.unshare, '--user', '--map-root-user', '--mount', '--ipc', '--uts', '--cgroup',
      '--pid', ...(network ? [] : ['--net']), '--fork', '--kill-child=KILL', '--',
      ...(terminal ? [] : [tools.setsid, '--']), tools.bash, '--norc', '--noprofile', '-c', SETUP, 'hermes',
      ...[plan, report, environment].map(String), ...command,
    ],
    inputs: [terminated(words), terminated(Object.entries(env).map(([name, value]) => `${name}=${value}`))],
  }
}

function terminated(words: readonly string[]): string {
  return words.map(word => `${word}\0`).join('')
}
