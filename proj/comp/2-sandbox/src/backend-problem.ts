import { isNodeError } from '../../0-contracts/src/index.js'
import { run, type ProgramRun } from '../../2-processes/src/index.js'

/** Why a backend's program does not work, in its own words where it has any; `undefined` where it does. */
export async function problemOf(call: ProgramRun, otherwise: string): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await run(call)
    if (exitCode === 0) return undefined
    return stderr.toString('utf8').trim().split('\n').at(-1)?.slice(0, 300) || otherwise
  } catch (error) {
    if (isNodeError(error)) return otherwise
    throw error
  }
}
