import type { ConfinedProgram } from '../../contracts/src/index.js'

/** How long it may take, in milliseconds. */
const LAST_MS = 10_000

/** Ends what does not end with its client: a container. As the client was started, so that it asks the same engine. */
export async function endContainer({ endWith: [file, ...args] = [], env }: ConfinedProgram): Promise<void> {
  if (file === undefined) return
  const { execa } = await import('execa')
  await execa(file, args, { reject: false, stdio: 'ignore', timeout: LAST_MS, env, extendEnv: false })
}
