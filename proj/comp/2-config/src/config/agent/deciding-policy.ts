import { AGENT_FIELDS } from './agent-fields.js'
import { shownHome } from '../hermes-home.js'
import { readSource, userPolicyFile } from '../policy-files.js'

/** Fields that say nothing of what comes of a block. */
const WITHOUT_EFFECT = new Set(['_config_version', 'trusted_hooks', ...Object.keys(AGENT_FIELDS)])

/**
 * What the user's policy decides of the results of blocks, as text: values in one order, so that comments, order and
 * spelling of the file make no difference, nor what sets up the agent alone. `''` where it decides nothing.
 *
 * @throws HermesError `INVALID_POLICY`
 */
export async function decidingPolicy(): Promise<string> {
  const file = userPolicyFile()
  const source = await readSource(file, shownHome(file), undefined)
  const deciding = Object.entries(source?.values ?? {})
    .filter(([name, value]) => !WITHOUT_EFFECT.has(name) && value !== undefined)
  return deciding.length === 0 ? '' : JSON.stringify(deciding.sort(([a], [b]) => (a < b ? -1 : 1)))
}
