import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))
/** By what the command and the package are reached. */
const STARTS_IT = /support\/(?:cli|packed|trial)\.js'|\bdist\b|\.\/stage\.js'/

/** Builds the package once before the tests, where one of them starts it and it was not built from these sources. */
export function buildFor(testFiles: readonly string[]): void {
  if (!testFiles.some((file) => STARTS_IT.test(readFileSync(file, 'utf8')))) return
  execFileSync(process.execPath, [script, '--if-changed'], { stdio: 'inherit' })
}
