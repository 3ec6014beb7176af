import { isNodeError } from '../../0-contracts/src/index.js'

/** What is at a place; `undefined` where there is nothing. @throws all other errors */
export function ifThere<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}
