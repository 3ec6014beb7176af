import type { FileOperation, RunRecord } from '../../journal/src/index.js'
import type { CommandChanges } from './command-changes.js'
import { fileOperations, putBack, type PutBackOptions } from './put-back.js'

/**
 * Takes back all of a run, the last first: what verbs did after its first command, what commands did as far as that is
 * known, and what verbs did before.
 *
 * @returns paths that could not be put back, with the reason
 */
export async function takeBack(
  run: RunRecord, commands: CommandChanges, places: PutBackOptions,
): Promise<{ path: string; reason: string }[]> {
  const { before, after } = splitAtCommand(run)
  const byCommands = commands.paths(places.root)
  return [
    ...putBack(run, after, { ...places, except: new Set([...places.except, ...byCommands]) }),
    ...await commands.putBack(places),
    ...putBack(run, before, places),
  ]
}

function splitAtCommand({ operations }: RunRecord): { before: FileOperation[]; after: FileOperation[] } {
  const found = operations.findIndex(({ op }) => op === 'command')
  const at = found === -1 ? operations.length : found
  return {
    before: fileOperations({ operations: operations.slice(0, at) }),
    after: fileOperations({ operations: operations.slice(at) }),
  }
}
