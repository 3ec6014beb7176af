import { addPackages, HermesError, isNodeError } from '../../../../0-contracts/src/index.js'

export type TypeScript = typeof import('typescript')

/** @throws HermesError `NOT_INSTALLED` */
export async function loadTypeScript(): Promise<TypeScript> {
  const installed = await importTypeScript()
  // Version 7 is a program: its package has no language service to call, whatever these types say.
  const { createLanguageService, version }: Partial<TypeScript> = installed
  if (createLanguageService === undefined) {
    throw notInstalled(`TypeScript ${version} is installed, which has no language service`)
  }
  return installed
}

async function importTypeScript(): Promise<TypeScript> {
  try {
    return (await import('typescript')).default
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw notInstalled('the TypeScript language service is not installed', error)
  }
}

function notInstalled(why: string, cause?: Error): HermesError {
  return new HermesError('NOT_INSTALLED', `get_definition: ${why}`, {
    hint: `find_symbol finds definitions by name without it. The user can add it: ${addPackages('typescript')}.`, cause,
  })
}
