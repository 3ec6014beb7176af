import { join } from 'node:path'
import type { ApprovedPath } from '../../../../0-contracts/src/index.js'

/** A path as the gate would give it; only for tests of the stores alone. */
export function approved(...parts: string[]): ApprovedPath {
  return join(...parts) as ApprovedPath
}

/** The code of what is thrown, or the result. */
export function outcome<T>(run: () => T): T | string {
  try {
    return run()
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}
