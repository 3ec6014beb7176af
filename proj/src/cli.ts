/** The `hermes` command. The compile cache must be on before the rest is loaded, hence the dynamic import. */
import * as nodeModule from 'node:module'

// Node 22 and later.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown }
enableCompileCache?.()

const { main } = await import('../comp/cli/src/index.js')
process.exitCode = await main(process.argv.slice(2), new URL('../package.json', import.meta.url))
