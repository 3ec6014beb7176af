import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import * as v from 'valibot'
import { orNothing, parseJson } from '../../../0-contracts/src/index.js'

/** A package manager's record of one package in a `node_modules`. */
export interface InstalledPackage {
  /** Name under which it is installed; may be an alias. */
  name: string
  /** Directory of the surrounding project, or of its equivalent: the prefix of a global package, a cache of npx. */
  holder: string
  /** Its specifier in the holder's `package.json`: `file:../hermes-0.1.0.tgz`, `git+https://…`. */
  spec: string | undefined
  /** The address npm fetched it from. */
  resolved: string | undefined
  /** Checksum of its tarball: `sha512-…`. */
  integrity: string | undefined
}

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const NAMES = v.optional(v.record(v.string(), v.string()), {})
const MANIFEST = v.object({ dependencies: NAMES, devDependencies: NAMES, optionalDependencies: NAMES })
const LOCK = v.object({
  packages: v.record(v.string(), v.object({
    resolved: v.optional(v.string()), integrity: v.optional(v.string()),
  })),
})
const CALLED = v.object({ _npx: v.object({ packages: v.array(v.string()) }) })

/** @param place absolute directory of the package, links resolved @returns `undefined` if it is in no `node_modules` */
export function installedPackage(place: string): InstalledPackage | undefined {
  const own = nameAndModules(place)
  if (!own) return undefined
  const { name, modules } = own
  const holder = holderOf(modules)
  const manifest = read(join(holder, 'package.json'), MANIFEST)
  const spec = { ...manifest?.devDependencies, ...manifest?.optionalDependencies, ...manifest?.dependencies }[name]
  const lock = read(join(holder, 'node_modules', '.package-lock.json'), LOCK)
  const { resolved, integrity } = lock?.packages[relative(holder, place).split(sep).join('/')] ?? {}
  return { name, holder, spec, resolved, integrity }
}

/** The package manager, by the store that contains it, else by the project's lock file. */
export function packageManager(place: string, holder: string): PackageManager {
  if (place.split(sep).includes('.pnpm') || existsSync(join(holder, 'pnpm-lock.yaml'))) return 'pnpm'
  if (place.split(sep).includes('.yarn') || existsSync(join(holder, 'yarn.lock'))) return 'yarn'
  return ['bun.lock', 'bun.lockb'].some((name) => existsSync(join(holder, name))) ? 'bun' : 'npm'
}

/** The specifier that `npx` was given, from its cache directory. */
export function givenToNpx(holder: string): string | undefined {
  return read(join(holder, 'package.json'), CALLED)?._npx.packages[0]
}

function nameAndModules(place: string): { name: string; modules: string } | undefined {
  const above = dirname(place)
  if (basename(above) === 'node_modules') return { name: basename(place), modules: above }
  if (!basename(above).startsWith('@') || basename(dirname(above)) !== 'node_modules') return undefined
  return { name: `${basename(above)}/${basename(place)}`, modules: dirname(above) }
}

/** The project around a `node_modules`, also for a package in pnpm's store or yarn's cache. */
function holderOf(modules: string): string {
  const parts = modules.split(sep)
  const store = parts.findIndex((part) => part === '.pnpm' || part === '.yarn')
  if (store > 0) {
    const end = parts[store - 1] === 'node_modules' ? store - 1 : store
    return parts.slice(0, end).join(sep)
  }
  return parts.slice(0, parts.indexOf('node_modules')).join(sep) || sep
}

/** Reads a JSON file; `undefined` for a missing or invalid one. */
function read<const Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, parseJson(orNothing(() => readFileSync(file, 'utf8'), '')))
  return parsed.success ? parsed.output : undefined
}
