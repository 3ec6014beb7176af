/** The `hermes` command. */
import { main } from '../comp/8-cli/src/index.js'

async function run(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), () => new URL('../package.json', import.meta.url))
}

void run()
