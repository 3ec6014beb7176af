import { isNodeError, type ConfinedProgram } from '../../../0-contracts/src/index.js'
import { run } from '../../../2-processes/src/index.js'

/** How long it may take, in milliseconds. */
const LAST_MS = 10_000

/** Ends what does not end with its client: a container. As the client was started, so that it asks the same engine. */
export async function endContainer({ endWith: [program, ...args] = [], env }: ConfinedProgram): Promise<void> {
  if (program === undefined) return
  try {
    await run({ program, args, env, timeoutMs: LAST_MS })
  } catch (error) {
    // There is no client any more.
    if (!isNodeError(error)) throw error
  }
}
