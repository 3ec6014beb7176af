import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A fresh canonical directory, removed when the running test ends.
 *
 * @param whenDone a concurrent test gives that of its own context: Vitest takes another one for the running test
 */
export function tempDir(whenDone: (remove: () => void) => void = onTestFinished): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
  whenDone(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }))
  return dir
}
