import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { ownPackage } from '../find-package.js'
import { HOOKS } from './hooks-source.js'

/** Missing in older versions of Node, and in the types used here. */
interface Hooking {
  registerHooks?: (hooks: { resolve: unknown; load: unknown }) => unknown
}

/**
 * Symbol under which the command publishes its library: it loads its code in its own way, and modules must not get a
 * second copy.
 */
const LIBRARY = Symbol.for('hermes.library')
/** The copy of valibot in hermes' package, for users who have none beside their modules. */
const VALIBOT = { url: 'hermes:valibot', file: ['dist', 'packages', 'valibot.mjs.br'] }

type Library = Readonly<Record<string, unknown>>

/**
 * Lets modules of the user import `hermes` from anywhere, and `valibot` where they have none.
 *
 * @param sources texts to load in place of files, by URL
 */
export async function installHooks(sources: Readonly<Record<string, string>>): Promise<void> {
  const valibot = brotliDecompressSync(readFileSync(join(ownPackage() ?? '', ...VALIBOT.file))).toString('utf8')
  const data = {
    hermes: await libraryUrl(), valibot: VALIBOT.url, sources: { ...sources, [VALIBOT.url]: valibot },
  }
  const ownModule = dataUrl(HOOKS)
  const { registerHooks } = nodeModule as Hooking
  if (registerHooks === undefined) {
    nodeModule.register(ownModule, { data })
    return
  }
  const { hooksOf } = await import(ownModule) as { hooksOf: (given: unknown) => { resolve: unknown; load: unknown } }
  registerHooks(hooksOf(data))
}

/** URL of the library: the package's, unless the command has published one. */
async function libraryUrl(): Promise<string> {
  const given = (globalThis as { [LIBRARY]?: Library | (() => Promise<Library>) })[LIBRARY]
  if (given === undefined) return pathToFileURL(join(ownPackage() ?? '', 'dist', 'index.js')).href
  const library = typeof given === 'function' ? await given() : given
  Object.defineProperty(globalThis, LIBRARY, { value: library, configurable: true })
  const names = Object.keys(library).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
  return dataUrl(
    `const library = globalThis[Symbol.for(${JSON.stringify(LIBRARY.description)})]\n`
    + `export const { ${names.join(', ')} } = library\n`,
  )
}

function dataUrl(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`
}
