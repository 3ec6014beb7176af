/** Writes dist/core.js: what runs in a browser, in one module without imports of Node. */
import { join } from 'node:path'
import { bundle, moduleIdsOf, root } from './bundle.mjs'

/** @returns the ids of the modules it holds */
export async function writeCore(dist) {
  return moduleIdsOf(await bundle({
    input: join(root, 'proj', 'src', 'core.ts'),
    platform: 'browser',
    // People write verbs with it: one copy for them and for this.
    external: ['valibot'],
    output: { file: join(dist, 'core.js'), format: 'esm', minify: true, comments: { legal: true } },
  }))
}
