import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse } from 'node:path'
import { caughtLater, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { ownEnvironment, run } from '../../../2-processes/src/index.js'

const TIMEOUT_MS = 10_000

/** No project decides there what runs. An account of CI or of a container may have no home. */
function placeToRun(): string {
  const home = homedir()
  return orNothing(() => statSync(home).isDirectory(), false) === true ? home : parse(process.execPath).root
}

/** What a program prints, as hermes finds it: in no directory that models write; `undefined` where it cannot be run. */
export async function firstLine(
  program: string, args: readonly string[], signal: AbortSignal,
): Promise<string | undefined> {
  return await caughtLater(isNodeError, async () => {
    const { exitCode, stopped, stdout, stderr } = await run({
      program, args, env: ownEnvironment(), cwd: placeToRun(), signal, timeoutMs: TIMEOUT_MS,
    })
    return exitCode === 0 && stopped === undefined ? `${stdout}${stderr}`.trim().split('\n')[0] ?? '' : undefined
  }, () => undefined)
}
