import { isNodeError } from '../../../0-contracts/src/index.js'

/** The result, or `undefined` where nothing is at the path. */
export function ifExists<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (isNodeError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  }
}
