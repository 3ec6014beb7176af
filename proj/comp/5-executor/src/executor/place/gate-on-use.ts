import { join } from 'node:path'
import type { PathGate } from '../../../../0-contracts/src/index.js'

/** A gate that is made when the first path comes. */
export function gateOnUse(make: () => PathGate): PathGate {
  let gate: PathGate | undefined
  return {
    approve: (path, access) => {
      gate ??= make()
      return gate.approve(path, access)
    },
    approveEntry: (directory, name, access) => {
      gate ??= make()
      return gate.approveEntry?.(directory, name, access) ?? gate.approve(join(directory, name), access)
    },
  }
}
