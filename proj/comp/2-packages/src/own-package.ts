import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of hermes' package. */
export function ownPackage(): string | undefined {
  for (let here = dirname(fileURLToPath(import.meta.url)); here !== dirname(here); here = dirname(here)) {
    if (existsSync(join(here, 'package.json'))) return here
  }
  return undefined
}

/** The outermost `node_modules` in which hermes is installed; elsewhere, as unpacked by hand, its own directory. */
export function ownInstallation(): string | undefined {
  const place = ownPackage()
  const [holder, ...below] = place?.split('/node_modules/') ?? []
  return below.length > 0 ? `${holder}/node_modules` : place
}
