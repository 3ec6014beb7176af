import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { inHeldDirectory } from './held-directory.js'

/**
 * Removes whatever is at a path in a held directory. Each directory is held while it is emptied, so that a link put in
 * its place leads nowhere; nothing at the path is no error.
 */
export function removeTree(held: string): void {
  const stats = lstatSync(held, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isDirectory()) {
    unlinkSync(held)
    return
  }
  inHeldDirectory(held, (directory) => {
    for (const name of readdirSync(directory)) removeTree(directory + sep + name)
  })
  rmdirSync(held)
}
