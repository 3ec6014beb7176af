import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { bundleForNode } from './bundle.js'

/**
 * A TypeScript program as a module for plain node that every user may read: made before the tests of the file or
 * `describe` it is called in, and removed after them.
 */
export function useProgram(entry: URL): { readonly path: string } {
  let directory = ''
  let path = ''
  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-program-')))
    chmodSync(directory, 0o755)
    path = await bundleForNode(fileURLToPath(entry), directory)
    chmodSync(path, 0o644)
  }, 60_000)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return {
    get path() {
      return path
    },
  }
}
