import { HermesError } from '../../../0-contracts/src/index.js'
import { gitFailure } from '../../../2-git/src/index.js'
import type { Repository } from '../transaction/index.js'
import { listed } from '../../../0-text/src/index.js'
import { shortId, shortName } from './open-history.js'
import { AS_IT_IS } from './work-index.js'

export interface Destination {
  commit: string
  /** Checked out instead of the commit alone. */
  branch?: string
}

/**
 * Checks out a commit or branch. The work tree must be clean; ignored files that stand in the way are not overwritten.
 *
 * @throws HermesError `EEXIST` for such files, `NONZERO_EXIT`; then nothing has changed
 */
export async function moveHead(
  command: string, repository: Repository, { commit, branch }: Destination,
): Promise<void> {
  const target = branch === undefined ? ['--detach', commit] : [shortName(branch)]
  const output = await repository.try([...AS_IT_IS, 'checkout', '--quiet', '--no-overwrite-ignore', ...target, '--'])
  if (output.exitCode === 0) return
  const inTheWay = output.stderr.split('\n').filter(line => line.startsWith('\t')).map(line => line.trim())
  if (inTheWay.length > 0) {
    const message = `${command}: files that git does not track stand in the way of ${shortId(commit)}`
    const hint = `Move them away first: ${listed(inTheWay)}.`
    throw new HermesError('EEXIST', message, { hint, data: { conflicts: inTheWay } })
  }
  throw gitFailure(command, output)
}
