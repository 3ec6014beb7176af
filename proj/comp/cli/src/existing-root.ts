import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing } from '../../contracts/src/index.js'
import { usageError, type Arguments } from './arguments.js'

/** `--root`, or the working directory; absolute, as written. @throws HermesError `INVALID_OPTION` where it is none */
export function existingRoot(args: Arguments): string {
  const root = resolve(args.value('root') ?? process.cwd())
  if (orNothing(() => statSync(root).isDirectory(), false)) return root
  throw usageError(`--root is no directory: ${root}`, 'Name one that exists.')
}
