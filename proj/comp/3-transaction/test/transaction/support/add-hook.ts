import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Root } from '../root.js'

/** A hook of git: a shell script. */
export function addHook({ directory }: Root, name: string, script: string, hooks = '.git/hooks'): void {
  const file = join(directory, hooks, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}
