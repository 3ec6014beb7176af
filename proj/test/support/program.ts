import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { bundleForNode, type BundleOptions } from './bundle.js'

/**
 * A TypeScript program as a module for plain node that every user may read: made before the tests of the file or
 * `describe` it is called in, and removed after them.
 */
export function useProgram(entry: URL, options?: BundleOptions): { readonly path: string } {
  let directory = ''
  let path = ''
  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-program-')))
    chmodSync(directory, 0o755)
    path = await bundleForNode(fileURLToPath(entry), directory, options)
    for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
      chmodSync(join(directory, name), statSync(join(directory, name)).isDirectory() ? 0o755 : 0o644)
    }
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return {
    get path() {
      return path
    },
  }
}
