/** Runs many command lines in one process: most of a short one would be spent on starting it. */
import { readFileSync, writeSync } from 'node:fs'
import { main } from '../src/index.js'

export interface ManyRun {
  args: readonly string[]
  cwd: string
  env: Record<string, string>
}

/** Stands between what two runs print. */
const BETWEEN = '\u001e'

const [, , file = ''] = process.argv
for (const { args, cwd, env } of JSON.parse(readFileSync(file, 'utf8')) as ManyRun[]) {
  process.chdir(cwd)
  Object.assign(process.env, env)
  const exitCode = await main(args, () => new URL('../package.json', import.meta.url))
  writeSync(1, `${BETWEEN}${exitCode}${BETWEEN}`)
}
