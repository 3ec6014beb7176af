import { realpathSync } from 'node:fs'
import { Hermes, userPolicy } from '../../../../5-executor/src/index.js'
import type { Check } from '../finding.js'
import { inScratch } from '../in-scratch.js'

const id = 'hosts'
const title = 'named hosts'
const FLAG = '--network=HOST,…'

/** Whether commands can be held to named hosts, tried with a command that asks for none. */
export const checkHosts: Check = async ({ root: examined, signal }) => {
  const { terminal, sandbox, verbs, hosts } = await userPolicy(realpathSync(examined))
  const isAsked = hosts !== undefined && verbs.exec.value !== 'off'
  // Without a sandbox there is nothing to try; of that the check before tells.
  const isHeld = (terminal.backend ?? 'local') === 'local' && sandbox.value !== 'none'
  if (!isHeld && !isAsked) return []
  return inScratch(async (root) => {
    const hermes = new Hermes({
      root, policy: { terminal }, sandbox: sandbox.value, network: hosts?.value ?? ['example.org'], gitCommit: false,
      signal,
    })
    const { results: [result], fatalError } = await hermes.execute(
      '```json hermes\n{"verb": "execute_command", "arguments": {"command": "true"}}\n```',
    )
    await hermes[Symbol.asyncDispose]()
    if (result?.success === true) {
      const detail = `${FLAG} holds commands to the hosts that it names, tried with a command`
      return [{ id, status: 'ok', title, detail }]
    }
    const by = isAsked && hosts.by !== undefined ? `; ${hosts.by} names hosts, so that no command runs` : ''
    return [{
      id, status: isAsked ? 'warning' as const : 'note' as const, title,
      detail: `${fatalError ?? result?.error ?? 'no command could be started'}${by}`,
      fix: 'bubblewrap or unshare, with nsenter (util-linux), can (hermes help sandbox).',
    }]
  })
}
