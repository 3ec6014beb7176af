import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Compiles a TypeScript file and all it imports to one module that plain node runs: for tests that need a process of
 * their own (to kill it, or to run it as another user).
 *
 * @returns the path of the module in `outDir`
 */
export async function bundleForNode(entry: string, outDir: string): Promise<string> {
  const bundle = await rolldown({ input: entry, platform: 'node', resolve: { mainFields: ['module', 'main'] }, logLevel: 'silent' })
  try {
    const options = { dir: outDir, format: 'esm', entryFileNames: '[name].mjs', codeSplitting: false } as const
    const { output } = await bundle.write(options)
    return join(outDir, output[0].fileName)
  } finally {
    await bundle.close()
  }
}
