import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh canonical directory, removed when the running test ends. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }))
  return dir
}
