import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import type { CommandSource } from '../../../1-command-risk/src/index.js'

/**
 * Asks before a command that is recognised as dangerous, once for each kind; not where commands cannot reach the
 * machine (seed 003), nor for kinds on the user's allow-list.
 *
 * @param shown the command as the model wrote it
 * @param before what the same shell has read already: an alias or
 *   half a line can make a danger of what is none by itself
 * @throws HermesError `APPROVAL_DENIED`, with the pattern's name
 */
export async function approveDanger(
  verb: string, source: CommandSource, shown: string,
  { approve, policy, sandbox }: Pick<VerbContext, 'approve' | 'policy' | 'sandbox'>, before = '',
): Promise<void> {
  if (sandbox.isIsolated) return
  // The parser is loaded for the first command only.
  const { DANGERS, findDangers } = await import('../../../1-command-risk/src/index.js')
  const alone = findDangers(source)
  const known = new Set(before === '' ? []
    : [...alone, ...findDangers({ kind: 'shell', text: before })].map(({ name }) => name))
  const together = before === '' || source.kind !== 'shell' ? []
    : findDangers({ kind: 'shell', text: before + source.text })
  for (const { name, command } of [...alone, ...together.filter((one) => !known.has(one.name))]) {
    if (policy.commandAllowlist.includes(name)) continue
    const what = `${name} (it ${DANGERS[name]}): ${command}`
    const reason = `Potentially dangerous command detected: ${what}`
    const consent = await approve({ action: verb, reason, kind: 'dangerous', pattern: name, command: shown })
    if (consent !== 'granted') throw refused(verb, name, what, consent)
  }
}

function refused(verb: string, name: string, what: string, consent: 'denied' | 'unavailable'): HermesError {
  return consent === 'denied'
    ? new HermesError('APPROVAL_DENIED', `${verb}: the user does not want this to run: ${what}`, {
      hint: 'Nothing was done. Do it another way, or say why it is needed and ask.',
    })
    : new HermesError('APPROVAL_DENIED', `${verb} needs an approval: ${what}`, {
      hint: 'There is nobody to ask. Do without it, for example with the file verbs; or ask the user to run it, to '
        + `approve it (at a terminal, or with --yes), or to add '${name}' to command_allowlist in `
        + '~/.hermes/config.yaml.',
    })
}
