import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orNothing } from '../../0-contracts/src/index.js'
import { upwards } from '../../2-files/src/index.js'

const HERE = dirname(fileURLToPath(import.meta.url))

/**
 * The directory of a package as Node would find it from hermes' own files, links followed; `undefined` where it is not
 * installed.
 *
 * @param beside packages that may bring it: managers that link put what a package needs beside that package only
 */
export function findPackage(name: string, beside: readonly string[] = []): string | undefined {
  const starts = [HERE, ...beside.flatMap(other => findPackage(other) ?? [])]
  return starts.map(start => above(start, name)).find(place => place !== undefined)
}

function above(start: string, name: string): string | undefined {
  const places = upwards(start).map(here => join(here, 'node_modules', name))
  const place = places.find(candidate => existsSync(join(candidate, 'package.json')))
  return place === undefined ? undefined : orNothing(() => realpathSync.native(place), undefined)
}

/** The directory of hermes' package. */
export function ownPackage(): string | undefined {
  return upwards(HERE).slice(0, -1).find((here) => existsSync(join(here, 'package.json')))
}

/** The outermost `node_modules` in which hermes is installed; elsewhere, as unpacked by hand, its own directory. */
export function ownInstallation(): string | undefined {
  const place = ownPackage()
  const [holder, ...below] = place?.split('/node_modules/') ?? []
  return below.length > 0 ? `${holder}/node_modules` : place
}
