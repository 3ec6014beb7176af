/** What stands in for files/src/held-directory.ts when the trial shows that it would see an escape: the bare paths. */
import { chmodSync } from 'node:fs'

export function inParent<T>(path: string, _syscall: string, act: (held: string) => T): T {
  return act(path)
}

export function inDirectory<T>(path: string, _syscall: string, act: (held: string) => T): T {
  return act(path)
}

export function inHeldDirectory<T>(held: string, act: (held: string) => T): T {
  return act(held)
}

export function changeMode(held: string, mode: number): void {
  chmodSync(held, mode)
}
