import { HermesError, type Policy } from '../../../../0-contracts/src/index.js'
import { DEFAULT_POLICY, loadPolicy } from '../../../../2-config/src/index.js'
import { isElsewhere, openRemotePlace } from '../../../../2-sandbox/src/index.js'
import { requireFilesHere } from './only-here.js'

/** A policy that cannot be read keeps nobody from taking back what was done. */
export async function userPolicy(root: string): Promise<Policy> {
  try {
    return (await loadPolicy({ root, policy: undefined, wishes: { limits: {} } })).policy
  } catch (error) {
    if (error instanceof HermesError) return DEFAULT_POLICY
    throw error
  }
}

/** As `requireFilesHere`, for a command of the user in a root. @throws HermesError `POLICY_DENIED` */
export async function requireRootHere(root: string, what: string): Promise<void> {
  requireFilesHere(what, (await userPolicy(root)).terminal)
}

/**
 * Where the paths of sessions in a root start: there, or in the directory on the host that the user's settings name.
 *
 * @throws HermesError `UNREACHABLE`
 */
export async function workRootOf(root: string): Promise<string> {
  const { terminal } = await userPolicy(root)
  if (!isElsewhere(terminal)) return root
  const place = await openRemotePlace(terminal)
  await place.end()
  return place.root
}
