import { join } from 'node:path'
import type { PathGate } from '../../../../0-contracts/src/index.js'

/** A gate that is made when the first path comes. */
export function gateOnUse(make: () => PathGate): PathGate {
  let made: PathGate | undefined
  const gate = (): PathGate => made ??= make()
  return {
    approve: (path, access) => gate().approve(path, access),
    approveEntry: (directory, name, access) => (
      gate().approveEntry?.(directory, name, access) ?? gate().approve(join(directory, name), access)
    ),
  }
}
