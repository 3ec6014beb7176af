import { unlessCode } from '../../0-contracts/src/index.js'

/** What is at a place; `undefined` where there is nothing. @throws all other errors */
export function ifThere<T>(look: () => T): T | undefined {
  return unlessCode(['ENOENT'], look, undefined)
}
