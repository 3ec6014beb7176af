import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addPackages, HermesError, ifPossible } from '../../../../0-contracts/src/index.js'
import { findPackage, loadPinned, readVerified } from '../../../../2-packages/src/index.js'

export type TypeScript = typeof import('typescript')

const CODE = 'lib/typescript.js'

let loaded: TypeScript | undefined

/** @throws HermesError `NOT_INSTALLED` */
export function loadTypeScript(): TypeScript {
  if (loaded) return loaded
  const directory = findPackage('typescript')
  if (directory === undefined) throw notInstalled('the TypeScript language service is not installed')
  // Version 7 is a program: its package has no language service, whatever these types say.
  if (!existsSync(join(directory, CODE))) throw notInstalled(NO_SERVICE)
  try {
    const installed = loadPinned('typescript', directory, CODE) as Partial<TypeScript>
    if (installed.createLanguageService === undefined) throw notInstalled(NO_SERVICE)
    loaded = installed as TypeScript
    return loaded
  } catch (error) {
    if (!(error instanceof HermesError) || error.message.startsWith('get_definition: ')) throw error
    const hint = `${LESS} ${error.hint ?? ''}`.trim()
    throw new HermesError(error.code, `get_definition: ${error.message}`, { hint, cause: error })
  }
}

/** TypeScript's code for a separate thread, and its path; `undefined` where none is available that may be loaded. */
export function typeScriptCode(): { code: string; file: string } | undefined {
  const directory = findPackage('typescript')
  if (directory === undefined) return undefined
  return ifPossible(() => {
    const { bytes } = readVerified('typescript', directory, CODE)
    return { code: Buffer.from(bytes).toString('utf8'), file: join(directory, CODE) }
  }, undefined)
}

/** A hint for verbs that need it: what works without. */
export const LESS = 'find_symbol finds definitions by name without it.'
const NO_SERVICE = 'the TypeScript that is installed has no language service'

function notInstalled(why: string): HermesError {
  return new HermesError('NOT_INSTALLED', `get_definition: ${why}`, {
    hint: `${LESS} The user can add it: ${addPackages('typescript')}.`,
  })
}
