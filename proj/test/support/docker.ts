import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STAND_IN = fileURLToPath(new URL('docker-stand-in.mjs', import.meta.url))

/** A client of docker that keeps its containers below a directory. */
export interface TestDocker {
  /** To be put in front of PATH. */
  bin: string
  /** Value of `DOCKER_CONFIG`. */
  state: string
  /** What it was called with, but for questions. */
  calls(): string[][]
}

/**
 * @param name of the program
 * @param standIn where it lies, for those who are bundled
 */
export function standInDocker(base: string, name = 'docker', standIn = STAND_IN): TestDocker {
  const [bin, state] = [join(base, 'bin'), join(base, name)]
  for (const directory of [bin, state]) mkdirSync(directory, { recursive: true })
  const client = join(bin, name)
  writeFileSync(client, `#!/bin/sh\n[ "$1" = version ] || exec ${process.execPath} ${standIn} "$@"\n`)
  chmodSync(client, 0o755)
  return {
    bin, state,
    calls() {
      const log = join(state, 'log')
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
      return lines.map(line => JSON.parse(line) as string[]).filter(([verb = '']) => ['run', 'exec', 'rm'].includes(verb))
    },
  }
}
