import { realpathSync } from 'node:fs'
import { HermesError, type Policy } from '../../../0-contracts/src/index.js'
import { DEFAULT_POLICY, loadPolicy } from '../../../2-config/src/index.js'

/** The policy that holds in a root; the default where files cannot be read, which a check of its own tells. */
export async function policyOf(root: string): Promise<Policy> {
  try {
    return (await loadPolicy({ root: realpathSync(root), policy: undefined, wishes: { limits: {} } })).policy
  } catch (error) {
    if (error instanceof HermesError) return DEFAULT_POLICY
    throw error
  }
}
