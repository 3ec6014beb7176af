import type { ApprovalQuestion, ApprovalVariable, SandboxName, VerbContext } from '../../../0-contracts/src/index.js'
import { clip, isSecretName, maskTokenShapes } from '../../../0-text/src/index.js'
import type { CommandCall } from './command-call.js'
import { exactCommand, type Hold } from './exact-command.js'

/** Longest value of a variable that is shown, in UTF-16 units. */
const MOST_SHOWN = 500

/** The fields of an approval question that describe the command. */
export async function describedCall(
  { shown, source, cwd }: CommandCall,
): Promise<Pick<ApprovalQuestion, 'command' | 'variables' | 'directory'>> {
  const { changesWhatRuns } = await import('../../../1-command-risk/src/index.js')
  const variables = Object.entries(source.env ?? {})
  return {
    command: shown, directory: cwd,
    ...(variables.length > 0 && { variables: variables.map(([name, value]): ApprovalVariable => {
      const clipped = clip(value, MOST_SHOWN)
      if (changesWhatRuns(name)) return { name, value: clipped, changesWhatRuns: true }
      return { name, value: isSecretName(name) && value !== '' ? '[masked]' : maskTokenShapes(clipped) }
    }) }),
  }
}

/** The entry that `command_allowlist` keeps for a command. */
export function entryOf(
  { verb, lang, source, shown, cwd }: CommandCall, { session, policy }: Pick<VerbContext, 'session' | 'policy'>,
  hold?: Hold,
): string {
  const hosts = policy.hosts && [...policy.hosts.value].sort()
  return exactCommand({ verb, lang, root: session.root, cwd, env: source.env, command: shown, hold, hosts })
}

/** What an answer about a command is tied to besides the command: one given in a sandbox does not hold without one. */
export function holdOf(sandbox: SandboxName, reachesNetwork: boolean): Hold | undefined {
  return sandbox === 'none' || sandbox === 'ssh' ? sandbox : reachesNetwork ? 'networked' : undefined
}
