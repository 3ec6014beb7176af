import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { ownPackage } from '../own-package.js'
import { HOOKS } from './hooks-source.js'

/** Later versions of Node have it; the types are those of the oldest that hermes runs on. */
interface Hooking {
  registerHooks?: (hooks: { resolve: unknown; load: unknown }) => unknown
}

/**
 * Where the command puts what gives its library: it loads its code by a way of its own, and a module must not get a
 * second copy of that.
 */
const LIBRARY = Symbol.for('hermes.library')
/** The module in our package, for users who have none beside their own. */
const VALIBOT = { url: 'hermes:valibot', file: ['dist', 'packages', 'valibot.mjs.br'] }

type Library = Readonly<Record<string, unknown>>

/**
 * Lets modules of the user's import `hermes`, whatever lies beside them, and `valibot` where none does.
 *
 * @param sources texts of modules in the place of what is on the disk, by URL
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

/** The library is that of the package, but where the command has it. */
async function libraryUrl(): Promise<string> {
  const given = (globalThis as { [LIBRARY]?: Library | (() => Promise<Library>) })[LIBRARY]
  if (given === undefined) return ofPackage('dist', 'index.js')
  const library = typeof given === 'function' ? await given() : given
  Object.defineProperty(globalThis, LIBRARY, { value: library, configurable: true })
  const names = Object.keys(library).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
  return dataUrl(
    `const library = globalThis[Symbol.for(${JSON.stringify(LIBRARY.description)})]\n`
    + `export const { ${names.join(', ')} } = library\n`,
  )
}

function ofPackage(...path: readonly string[]): string {
  return pathToFileURL(join(ownPackage() ?? '', ...path)).href
}

function dataUrl(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`
}
