import { addPackages, HermesError, isNodeError } from '../../../contracts/src/index.js'

export type TypeScript = typeof import('typescript')

/** @throws HermesError `NOT_INSTALLED` */
export async function loadTypeScript(): Promise<TypeScript> {
  try {
    return (await import('typescript')).default
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new HermesError('NOT_INSTALLED', 'get_definition: the TypeScript language service is not installed', {
      hint: `find_symbol finds definitions by name without it. The user can add it: ${addPackages('typescript')}.`,
      cause: error,
    })
  }
}
