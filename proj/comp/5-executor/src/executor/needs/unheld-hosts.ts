import { HermesError, settingName, type CommandSandbox, type Policy } from '../../../../0-contracts/src/index.js'

/**
 * Why a run for which hosts were named does not begin. Where a policy file names them, commands alone are refused, each
 * when it comes: files can be worked on all the same.
 */
export async function unheldHosts(
  { hosts, verbs: { exec, network } }: Policy, sandbox: CommandSandbox,
): Promise<HermesError | undefined> {
  if (hosts === undefined || hosts.by !== undefined || exec.value === 'off' || network.value === 'off') return undefined
  const problem = await sandbox.hostsProblem()
  if (problem === undefined) return undefined
  const named = `${settingName('hosts')} (${hosts.value.join(', ')})`
  return new HermesError('NETWORK_NOT_HELD', `${named} is refused: nothing here holds commands to it: ${problem}`, {
    hint: 'Nothing was run. bubblewrap or unshare, with nsenter (util-linux), can on Linux: hermes doctor looks at '
      + `them. Else leave the network closed, or open all of it (${settingName('network')}).`,
  })
}
