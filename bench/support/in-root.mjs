import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What `act` resolves to with a fresh directory, which is removed after it. */
export async function inRoot(act) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')))
  try {
    return await act(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
