import { caughtLater, isNodeError } from '../../../0-contracts/src/index.js'
import { start, trustedEnvironment, type StartedProgram } from '../../../2-processes/src/index.js'

/**
 * Waits for the end of its input, which comes when hermes ends, however it does; then kills processes that carry the
 * mark, three times because of those started meanwhile. `done`: nothing is left to kill.
 */
const SCRIPT = `read -r x; [ "$x" = done ] && exit 0
for n in 1 2 3; do
for e in $(grep -l -a -F -e "$1" /proc/[0-9]*/environ 2>/dev/null); do p=\${e#/proc/}; kill -KILL "\${p%/environ}"; done
done`

/** Kills programs that would survive when hermes is killed: those that ignore the end of their terminal. */
export class Watchdog {
  readonly #program: Promise<StartedProgram | undefined>

  /**
   * @param mark in the environment of the programs
   * @param env of the client that started them
   */
  constructor(mark: string, { HERMES_RUN: _run, ...env }: Readonly<Record<string, string>>) {
    this.#program = startOrNone(mark, trustedEnvironment({ PATH: '/usr/bin:/bin', ...env }))
  }

  /** Called when all programs have ended: ends the watchdog. */
  async dispose(): Promise<void> {
    const program = await this.#program
    if (program === undefined || program.exit !== undefined) return
    // Keep this process alive until then.
    program.hold()
    program.input.end('done\n')
    await program.exited
  }
}

/** Starts the watchdog. If that fails, programs still end with their terminals, except those that ignore it. */
async function startOrNone(mark: string, env: Readonly<Record<string, string>>): Promise<StartedProgram | undefined> {
  return await caughtLater(isNodeError, () => start({
    program: '/bin/sh', args: ['-c', SCRIPT, 'sh', mark], stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env,
    outlivesHermes: true,
  }), () => undefined)
}
