import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { HermesError } from '../../../0-contracts/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'
import { ownPackage } from '../find-package.js'
import { isOutOfReach } from '../verified.js'
import { HOOKS } from './hooks-source.js'
import { isTyped, nodeTakesTypes, typedSources } from './typed-sources.js'

/**
 * Symbol under which the command publishes its library: it loads its code in its own way, and modules must not get a
 * second copy.
 */
const LIBRARY = Symbol.for('hermes.library')
/** The copy of valibot in hermes' package, for users who have none beside their modules. */
const VALIBOT = { url: 'hermes:valibot', file: ['dist', 'packages', 'valibot.mjs.br'] }

/** Time limit for loading, in milliseconds: a module that waits for ever would block every command. */
const MOST_MS = 30_000

/** Tells the command line that a module may be what keeps the process alive. */
const LOADED = Symbol.for('hermes.ownModules')

/** The exports of a user's module, or why it could not be loaded. */
export type OwnModule =
  | { path: string; exports: Readonly<Record<string, unknown>> }
  | { path: string; error: HermesError }

/** Node loads each module once; each session still checks whether it may be loaded. */
const loading = new Map<string, Promise<OwnModule>>()

/**
 * Loads the user's own modules into this process; errors of one do not affect the others. Refuses modules that a run
 * could have written.
 *
 * @param paths absolute
 */
export async function loadOwnModules(paths: readonly string[]): Promise<OwnModule[]> {
  const sources: Record<string, string> = {}
  const ready = paths.map((path): OwnModule => {
    try {
      requireOwn(path)
      if (!loading.has(path) && isTyped(path) && !nodeTakesTypes()) Object.assign(sources, typedSources(path))
      return { path, exports: {} }
    } catch (error) {
      return { path, error: failureOf(error) }
    }
  })
  const fresh = ready.filter((ownModule) => !('error' in ownModule) && !loading.has(ownModule.path))
  const hooked = fresh.length > 0 ? installHooks(sources) : undefined
  for (const { path } of fresh) loading.set(path, load(hooked, path))
  return Promise.all(ready.map(async (file) => ('error' in file ? file : loading.get(file.path) ?? file)))
}

/** @throws HermesError `ENOENT`, `POLICY_DENIED` */
function requireOwn(path: string): void {
  if (!existsSync(path)) {
    throw new HermesError('ENOENT', 'there is no such file', { hint: 'Correct its path, or take it off the list.' })
  }
  if (isOutOfReach(path)) return
  throw new HermesError('POLICY_DENIED', 'a run could have written it: it is not loaded', {
    hint: `It would run in hermes itself. Put it where no run works, e.g. into ${shownOwnFile('verbs')}.`,
  })
}

async function load(hooked: Promise<void> | undefined, path: string): Promise<OwnModule> {
  await hooked
  Object.defineProperty(globalThis, LOADED, { value: true, configurable: true })
  const ownModule = pathToFileURL(path).href
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new HermesError('TIMEOUT', `it was not loaded after ${MOST_MS / 1000} s`, {
        hint: 'An await outside of its functions never ends: move it into the handler.',
      }))
    }, MOST_MS)
  })
  try {
    return { path, exports: await Promise.race([importing(ownModule), late]) }
  } catch (error) {
    return { path, error: failureOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** The build hands just this spelling to the launcher, which alone can import while the code comes from a cache. */
async function importing(ownModule: string): Promise<Readonly<Record<string, unknown>>> {
  return await import(ownModule) as Readonly<Record<string, unknown>>
}

/** Converts whatever the module threw. */
function failureOf(error: unknown): HermesError {
  if (error instanceof HermesError) return error
  const [why = ''] = String(error instanceof Error ? error.message : error).split('\n')
  const name = error instanceof Error && error.name !== 'Error' ? `${error.name}: ` : ''
  return new HermesError('INVALID_OPTION', `it cannot be loaded: ${name}${why}`, {
    hint: `${placeIn(error)}hermes and valibot are there for it; what else it imports has to lie beside it.`, cause: error,
  })
}

/** The place in the user's files where it was thrown. */
function placeIn(error: unknown): string {
  const stack = error instanceof Error ? error.stack ?? '' : ''
  const place = /^ {4}at (?:.*\()?(?:file:\/\/)?((?:\/|[A-Z]:\\)[^()\n]*:\d+:\d+)\)?$/m.exec(stack)?.[1]
  return place === undefined ? '' : `Thrown at ${place}. `
}

/** Missing in older versions of Node, and in the types used here. */
interface Hooking {
  registerHooks?: (hooks: { resolve: unknown; load: unknown }) => unknown
}

type Library = Readonly<Record<string, unknown>>

/**
 * Lets modules of the user import `hermes` from anywhere, and `valibot` where they have none.
 *
 * @param sources texts to load in place of files, by URL
 */
async function installHooks(sources: Readonly<Record<string, string>>): Promise<void> {
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
