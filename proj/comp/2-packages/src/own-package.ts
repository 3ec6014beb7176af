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

/** The `node_modules` in which hermes is installed, the outermost one; `undefined` for a clone or a copy elsewhere. */
export function ownInstallation(): string | undefined {
  const parts = ownPackage()?.split('/node_modules/') ?? []
  return parts.length > 1 ? `${parts[0]}/node_modules` : undefined
}
