import { chmodSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** Goes on as an unprivileged user until the test ends: root may read everything, which would prove nothing. */
export function asNobody(root: string): void {
  if (process.getuid?.() !== 0) return
  chmodSync(root, 0o755)
  process.seteuid?.(65534)
  onTestFinished(() => process.seteuid?.(0))
}
