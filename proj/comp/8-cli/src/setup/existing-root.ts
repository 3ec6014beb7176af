import { resolve } from 'node:path'
import type { Arguments } from '../arguments.js'

/**
 * `--root`, or the working directory; absolute, as written. That it is a directory was asked before the command began.
 */
export function existingRoot(args: Arguments): string {
  return resolve(args.value('root') ?? process.cwd())
}
