import { HermesError } from '../../contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../contracts/src/index.js'

/** Looking at more takes seconds. */
const MOST_ENTRIES = 100_000

/**
 * Refuses to move a directory with anything in it that the gate would not let go by itself.
 *
 * @param path the directory as the model wrote it
 * @throws HermesError `POLICY_DENIED`, also for more than 100,000 entries; other errors of the gate; Node's errors for
 *   directories that cannot be listed
 */
export function checkMovable(
  verb: string, path: string, directory: ApprovedPath, { files, gate }: Pick<VerbContext, 'files' | 'gate'>,
): void {
  const open = [{ shown: path.replace(/\/$/, ''), directory }]
  let entries = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { name, kind } of files.list(next.directory)) {
      if (++entries > MOST_ENTRIES) throw tooMany(verb, path)
      const shown = `${next.shown}/${name}`
      const approved = approveInside(() => gate.approve(shown, 'remove'), verb, path)
      if (kind === 'directory') open.push({ shown, directory: approved })
    }
  }
}

function approveInside(approve: () => ApprovedPath, verb: string, path: string): ApprovedPath {
  try {
    return approve()
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'POLICY_DENIED') throw error
    const held = error.message.replace(/^Path is denied: /, '')
    throw new HermesError('POLICY_DENIED', `${verb}: '${path}' holds what is denied: ${held}`, {
      hint: 'Move what is beside it on its own, or ask the user to do this.',
      cause: error,
    })
  }
}

function tooMany(verb: string, path: string): HermesError {
  const problem = `holds more than ${MOST_ENTRIES.toLocaleString('en')} entries, too many to check for denied ones`
  return new HermesError('POLICY_DENIED', `${verb}: '${path}' ${problem}`, {
    hint: 'Move the directories in it one by one, or ask the user to do this.',
  })
}
