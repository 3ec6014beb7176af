import { join } from 'node:path'
import type { ApprovedPath, PathAccess, PathGate, Touch } from '../../../../0-contracts/src/index.js'

/** A gate that tells of each path it approves, before anything is done with it. */
export function tellingTouches(gate: PathGate, tell: ((touch: Touch) => void) | undefined): PathGate {
  if (!tell) return gate
  const approved = (written: string, access: PathAccess): ApprovedPath => {
    try {
      return gate.approve(written, access)
    } catch (error) {
      tell({ kind: 'refused', written })
      throw error
    }
  }
  return {
    approve(written, access) {
      const path = approved(written, access)
      tell({ kind: 'path', written, path, access, gate })
      return path
    },
    approveEntry(directory, name, access) {
      const written = join(directory, name)
      const path = gate.approveEntry?.(directory, name, access) ?? gate.approve(written, access)
      tell({ kind: 'path', written, path, access, gate })
      return path
    },
  }
}
