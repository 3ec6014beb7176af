import { unlessCode } from '../../../0-contracts/src/index.js'

/** The result, or `undefined` where nothing is at the path. */
export function ifExists<T>(look: () => T): T | undefined {
  return unlessCode(['ENOENT', 'ENOTDIR'], look, undefined)
}
