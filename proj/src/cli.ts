/** The `hermes` command. */
import { main } from '../comp/8-cli/src/index.js'

/** Lets the user's modules of verbs import this library as `hermes`. */
Object.defineProperty(globalThis, Symbol.for('hermes.library'), {
  value: () => import('./index.js'), configurable: true,
})

async function run(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), () => new URL('../package.json', import.meta.url))
  if (Reflect.get(globalThis, Symbol.for('hermes.ownModules')) !== true) return
  // Exit: timers and sockets left open by a user's module would keep the process alive.
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  process.exit()
}

void run()
