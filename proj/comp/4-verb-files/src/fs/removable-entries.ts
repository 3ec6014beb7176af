import {
  type ApprovedPath, caught, type FileStat, HermesError, type VerbContext,
} from '../../../0-contracts/src/index.js'

export interface RemovableEntry {
  path: ApprovedPath
  /** The path in the form in which the model wrote the directory. */
  shown: string
  kind: FileStat['kind']
}

/** Most entries examined: more would take seconds. */
const MOST_ENTRIES = 100_000

/**
 * All entries below a directory that is to be moved or deleted, each directory before its content; links are not
 * followed. Fails if the path gate would not allow removing one of them by itself.
 *
 * @param path the directory as the model wrote it
 * @param action what hints propose to do with the rest
 * @throws HermesError `POLICY_DENIED`, also for more than 100,000 entries; other errors of the gate; Node's errors for
 * directories that cannot be listed
 */
export function removableEntries(
  verb: string, path: string, directory: ApprovedPath, { files, gate }: Pick<VerbContext, 'files' | 'gate'>,
  action: 'Move' | 'Delete',
): RemovableEntry[] {
  const entries: RemovableEntry[] = []
  const open = [{ shown: path.replace(/\/+$/, ''), directory }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { name, kind } of files.list(next.directory)) {
      if (entries.length >= MOST_ENTRIES) throw tooMany(verb, path, action)
      const shown = `${next.shown}/${name}`
      const approved = caught(HermesError, () => gate.approve(shown, 'remove'), (error) => {
        if (error.code !== 'POLICY_DENIED') throw error
        const held = error.message.replace(/^Path is denied: /, '')
        throw new HermesError('POLICY_DENIED', `${verb}: '${path}' holds what is denied: ${held}`, {
          hint: `${action} what is beside it on its own, or ask the user to do this.`,
          cause: error,
        })
      })
      entries.push({ path: approved, shown, kind })
      if (kind === 'directory') open.push({ shown, directory: approved })
    }
  }
  return entries
}

function tooMany(verb: string, path: string, action: 'Move' | 'Delete'): HermesError {
  const problem = `holds more than ${MOST_ENTRIES.toLocaleString('en')} entries, too many to check for denied ones`
  return new HermesError('POLICY_DENIED', `${verb}: '${path}' ${problem}`, {
    hint: `${action} the directories in it one by one, or ask the user to do this.`,
  })
}
