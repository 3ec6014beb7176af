import { readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  caught, HermesError, isNodeError, orNothing, unlessCode, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { runDirectory } from '../../../2-files/src/index.js'
import { FileOutput } from './file-output.js'

/** Most bytes of one output stream on disk: 100 MiB. */
export const MAX_OUTPUT_FILE_BYTES = 100 * 2 ** 20

export interface RunFiles {
  stdout: FileOutput
  stderr: FileOutput
  /** Aborted when one of the files is full. */
  enough: AbortSignal
  /** Removes the files of a program that never started. */
  remove(): void
}

/**
 * Opens the next free pair `<n>.stdout.txt`, `<n>.stderr.txt` in `.hermes/runs/<run>` below the root.
 * @throws HermesError `POLICY_DENIED` where a link stands in place of the directory, or Node's code
 */
export function openRunFiles(verb: string, { session, runId }: Pick<VerbContext, 'session' | 'runId'>): RunFiles {
  return caught(isNodeError, () => openNextPair(session.root, runId), (error) => {
    throw new HermesError(error.code, `${verb}: its output files in .hermes/runs cannot be made (${error.code})`, {
      cause: error, hint: 'Ask the user to make the root writable, or to make room on its disk.',
    })
  })
}

function openNextPair(root: string, runId: string): RunFiles {
  const directory = runDirectory(root, runId)
  const controller = new AbortController()
  const open = (name: string) => new FileOutput(join(directory, name), MAX_OUTPUT_FILE_BYTES, () => controller.abort())
  const before = readdirSync(directory).length
  for (let n = Math.floor(before / 2) + 1; ; n++) {
    const stdout = unlessCode(['EEXIST'], () => open(`${n}.stdout.txt`), undefined)
    if (stdout === undefined) continue
    const stderr = unlessCode(['EEXIST'], () => open(`${n}.stderr.txt`), undefined)
    if (stderr !== undefined) {
      const remove = (): void => {
        stdout.remove()
        stderr.remove()
        // It usually holds the outputs of other programs.
        orNothing(() => rmdirSync(directory), undefined)
      }
      return { stdout, stderr, enough: controller.signal, remove }
    }
    stdout.close()
    stdout.remove()
  }
}
