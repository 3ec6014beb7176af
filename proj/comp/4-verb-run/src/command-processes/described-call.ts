import type { ApprovalRequest, ApprovalVariable, SandboxName, VerbContext } from '../../../0-contracts/src/index.js'
import { clip, isSecretName, maskTokenShapes } from '../../../0-text/src/index.js'
import type { CommandCall } from './command-call.js'
import { exactCommand, type Hold } from './exact-command.js'

/** Longest value of a variable that is shown, in UTF-16 units. */
const MOST_SHOWN = 500

/** What a question shows of a command itself. */
export async function describedCall(
  { shown, source, cwd }: CommandCall,
): Promise<Pick<ApprovalRequest, 'command' | 'variables' | 'directory'>> {
  const { changesWhatRuns } = await import('../../../1-command-risk/src/index.js')
  const variables = Object.entries(source.env ?? {})
  return {
    command: shown, directory: cwd,
    ...(variables.length > 0 && { variables: variables.map(([name, value]) => ({
      ...(changesWhatRuns(name) ? { name, value: clip(value, MOST_SHOWN), changesWhatRuns: true as const }
        : variable(name, value)),
    })) }),
  }
}

/** What `command_allowlist` keeps of it. */
export function entryOf(
  { verb, lang, source, shown, cwd }: CommandCall, { session }: Pick<VerbContext, 'session'>, hold?: Hold,
): string {
  return exactCommand({ verb, lang, root: session.root, cwd, env: source.env, command: shown, hold })
}

/** What an answer about a command is for besides it: one that was given in a sandbox holds for none without it. */
export function holdOf(sandbox: SandboxName, reachesNetwork: boolean): Hold | undefined {
  return sandbox === 'none' || sandbox === 'ssh' ? sandbox : reachesNetwork ? 'networked' : undefined
}

/** Without what is secret. */
function variable(name: string, value: string): ApprovalVariable {
  return {
    name, value: isSecretName(name) && value !== '' ? '[masked]' : maskTokenShapes(clip(value, MOST_SHOWN)),
  }
}
