import { spawnSync } from 'node:child_process'
import { onTestFinished, type TestContext } from 'vitest'

/** Mounts for the running test, which is skipped with the reason where that is not allowed. */
export function mountOrSkip(context: TestContext, target: string, ...options: string[]): void {
  const { status, stderr, error } = spawnSync('mount', [...options, target], { encoding: 'utf8' })
  if (status !== 0) context.skip(`cannot mount here: ${error?.message ?? stderr.trim()}`)
  onTestFinished(() => void spawnSync('umount', ['-l', target]))
}
