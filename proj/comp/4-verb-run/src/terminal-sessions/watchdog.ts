import { isNodeError } from '../../../0-contracts/src/index.js'
import { start, trustedEnvironment, type StartedProgram } from '../../../2-processes/src/index.js'

/**
 * Waits for the end of its input, which comes with the end of hermes, however that ends; then ends what carries the
 * mark, thrice for what was started meanwhile. `done`: nothing is left to end.
 */
const SCRIPT = `read -r x; [ "$x" = done ] && exit 0
for n in 1 2 3; do
for e in $(grep -l -a -F -e "$1" /proc/[0-9]*/environ 2>/dev/null); do p=\${e#/proc/}; kill -KILL "\${p%/environ}"; done
done`

/** Ends programs that nothing else would end when hermes is killed: those that ignore the end of their terminal. */
export class Watchdog {
  readonly #program: Promise<StartedProgram | undefined>

  /**
   * @param mark that the programs have in their environment
   * @param env of the client that started them
   */
  constructor(mark: string, { HERMES_RUN: _run, ...env }: Readonly<Record<string, string>>) {
    this.#program = startOrNone(mark, trustedEnvironment({ PATH: '/usr/bin:/bin', ...env }))
  }

  /** Everything has been ended. */
  async dispose(): Promise<void> {
    const program = await this.#program
    if (program === undefined || program.exit !== undefined) return
    // Nothing else may keep this process until then.
    program.hold()
    program.input.end('done\n')
    await program.exited
  }
}

/** Without it programs are ended with their terminals all the same, but for those that ignore that. */
async function startOrNone(mark: string, env: Readonly<Record<string, string>>): Promise<StartedProgram | undefined> {
  try {
    return await start({
      program: '/bin/sh', args: ['-c', SCRIPT, 'sh', mark], stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env,
      outlivesHermes: true,
    })
  } catch (error) {
    if (isNodeError(error)) return undefined
    throw error
  }
}
