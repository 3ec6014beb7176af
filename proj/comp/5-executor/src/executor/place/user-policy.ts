import { HermesError, type Policy } from '../../../../0-contracts/src/index.js'
import { DEFAULT_POLICY, loadPolicy } from '../../../../2-config/src/index.js'
import { isElsewhere, openRemotePlace } from '../../../../2-sandbox/src/index.js'
import { orError } from '../failures.js'
import type { ExecutorOptions } from '../settings.js'
import { requireFilesHere } from './only-here.js'

/**
 * The policy of a root, or the defaults where it cannot be read: the user can undo all the same. @param options of a
 * session
 */
export async function userPolicy(
  root: string, { policy, sandbox, network }: Pick<ExecutorOptions, 'policy' | 'sandbox' | 'network'> = {},
): Promise<Policy> {
  const loaded = await orError(() => loadPolicy({ root, policy, wishes: { limits: {}, sandbox, network } }))
  return loaded instanceof HermesError ? DEFAULT_POLICY : loaded.policy
}

/**
 * As `requireFilesHere`, for a command that the user runs in a root.
 *
 * @param policy as the option of a session
 * @throws HermesError `POLICY_DENIED`
 */
export async function requireRootHere(root: string, what: string, policy?: ExecutorOptions['policy']): Promise<void> {
  requireFilesHere(what, (await userPolicy(root, { policy })).terminal)
}

/**
 * The directory that paths of sessions in this root start from: the root, or the directory on the remote host that the
 * user's settings name.
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
