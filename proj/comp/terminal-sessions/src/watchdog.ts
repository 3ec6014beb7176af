import { spawn, type ChildProcess } from 'node:child_process'
import { trustedEnvironment } from '../../policy/src/index.js'

/**
 * Waits for the end of its input, which comes with the end of hermes, however that ends; then ends what carries the
 * mark, thrice for what was started meanwhile, and containers. `done`: nothing is left to end.
 */
const SCRIPT = `c=
while read -r kind name; do case $kind in done) exit 0;; docker) c="$c $name";; esac; done
for n in 1 2 3; do
for e in $(grep -l -a -F -e "$1" /proc/[0-9]*/environ 2>/dev/null); do p=\${e#/proc/}; kill -KILL "\${p%/environ}"; done
done
[ -z "$c" ] || docker kill $c`

/** Ends programs that nothing else would end when hermes is killed: those that ignore the end of their terminal. */
export class Watchdog {
  readonly #child: ChildProcess

  /**
   * @param mark that the programs have in their environment
   * @param env of the client that started them
   */
  constructor(mark: string, { HERMES_RUN: _run, ...env }: Readonly<Record<string, string>>) {
    this.#child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', mark], {
      stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/',
      env: trustedEnvironment({ PATH: '/usr/bin:/bin', ...env }),
    })
    // Without it they are ended with their terminals all the same, but for those that ignore that.
    this.#child.on('error', () => undefined)
    this.#child.stdin?.on('error', () => undefined)
    this.#child.unref();
    (this.#child.stdin as { unref?: () => void } | null)?.unref?.()
  }

  container(name: string): void {
    this.#child.stdin?.write(`docker ${name}\n`)
  }

  /** Everything has been ended. */
  async dispose(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null) return
    const gone = new Promise<void>(resolve => this.#child.once('exit', () => resolve()))
    // Nothing else may keep this process until then.
    this.#child.ref()
    this.#child.stdin?.end('done\n')
    await gone
  }
}
