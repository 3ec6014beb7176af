import { join } from 'node:path'
import type { PathGate, SessionState } from '../../../../0-contracts/src/index.js'

/** What is read or changed is in use: `context_prune` removes what was not for longest. @param next counts up */
export function notingUse(gate: PathGate, { context }: SessionState, next: () => number): PathGate {
  return {
    approve(path, access) {
      const approved = gate.approve(path, access)
      if (access === 'list' || context.size === 0) return approved
      // Parts of a file are used with it.
      for (const item of context.values()) if (item.resolved === approved) item.lastUse = next()
      return approved
    },
    // Of a directory that is walked no file is used yet.
    approveEntry: (directory, name, access) => (
      gate.approveEntry?.(directory, name, access) ?? gate.approve(join(directory, name), access)
    ),
  }
}
