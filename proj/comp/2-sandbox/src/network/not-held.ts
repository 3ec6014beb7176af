import { HermesError, settingName, type SandboxName } from '../../../0-contracts/src/index.js'

/** Sandboxes with no network namespace of hermes around them, each with the end of a sentence. */
const WITHOUT: Partial<Record<SandboxName, string>> = {
  none: 'without a sandbox nothing keeps a command from the network',
  seatbelt: 'the sandbox of macOS opens the network or closes it',
  docker: 'the network of containers is that of their engine',
  singularity: 'the network of containers is that of their engine',
  ssh: 'commands run on another machine',
}

/** Why a sandbox cannot hold commands to named hosts, as the end of a sentence. */
export function unheldIn(name: SandboxName): string {
  return WITHOUT[name] ?? `${name} cannot`
}

/** @param who begins the message: a verb, or the setting */
export function notHeld(who: string, hosts: readonly string[], problem: string): HermesError {
  return new HermesError(
    'NETWORK_NOT_HELD', `${who}: nothing here holds commands to named hosts (${hosts.join(', ')}): ${problem}`,
    {
      hint: 'Nothing was run. On Linux bubblewrap or unshare, with nsenter (util-linux), can. Ask the user to install '
        + `them, to leave the network closed (without ${settingName('hosts')}), or to open all of it (${
          settingName('network')}).`,
    },
  )
}
