import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { compileFunction } from 'node:vm'
import { isMissing, readVerified } from './verified.js'

interface LoadedModule {
  exports: unknown
}
type Wrapper = (
  this: unknown, exports: unknown, require: PinnedRequire, module: LoadedModule, file: string, directory: string,
) => void
type PinnedRequire = ((id: string) => unknown) & { resolve: (id: string) => string }

const nodeRequire = createRequire(import.meta.url)

/**
 * Loads a CommonJS package from verified bytes, file by file: each file is read once, and exactly the hashed bytes run.
 * It can require Node's modules, its own files, and what `beyond` provides; nothing is searched on disk.
 *
 * @param beyond returns the path of an addon or program of another package
 * @throws HermesError `NOT_INSTALLED`; Node's errors; what the package throws
 */
export function loadPinned(
  name: string, directory: string, entry: string, beyond: (id: string) => string | undefined = () => undefined,
): unknown {
  const modules = new Map<string, LoadedModule>()
  const load = (file: string): unknown => {
    const known = modules.get(file)
    if (known) return known.exports
    const { bytes } = readVerified(name, directory, file)
    const module: LoadedModule = { exports: {} }
    modules.set(file, module)
    const path = join(directory, file)
    const run = compileFunction(
      Buffer.from(bytes).toString('utf8'), ['exports', 'require', 'module', '__filename', '__dirname'],
      { filename: path },
    ) as Wrapper
    run.call(module.exports, module.exports, requireFrom(posix.dirname(file)), module, path, dirname(path))
    return module.exports
  }
  const requireFrom = (folder: string): PinnedRequire => Object.assign((id: string): unknown => {
    if (isBuiltin(id)) return nodeRequire(id)
    if (!id.startsWith('.')) return nodeRequire(beyond(id) ?? notFound(id))
    const file = posix.join(folder, id)
    try {
      return load(file.endsWith('.js') ? file : `${file}.js`)
    } catch (error) {
      if (isMissing(error)) notFound(id)
      throw error
    }
  }, { resolve: (id: string): string => beyond(id) ?? notFound(id) })
  return load(entry)
}

function notFound(id: string): never {
  throw Object.assign(new Error(`Cannot find module '${id}'`), { code: 'MODULE_NOT_FOUND' })
}
