import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { upwards } from '../../2-files/src/index.js'

/** The directory of hermes' package. */
export function ownPackage(): string | undefined {
  const above = upwards(dirname(fileURLToPath(import.meta.url))).slice(0, -1)
  return above.find((here) => existsSync(join(here, 'package.json')))
}

/** The outermost `node_modules` in which hermes is installed; elsewhere, as unpacked by hand, its own directory. */
export function ownInstallation(): string | undefined {
  const place = ownPackage()
  const [holder, ...below] = place?.split('/node_modules/') ?? []
  return below.length > 0 ? `${holder}/node_modules` : place
}
