/** The `hermes` command. */
import { main } from '../comp/8-cli/src/index.js'

/** Modules of verbs import it as `hermes`. */
Object.defineProperty(globalThis, Symbol.for('hermes.library'), {
  value: () => import('./index.js'), configurable: true,
})

async function run(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), () => new URL('../package.json', import.meta.url))
}

void run()
