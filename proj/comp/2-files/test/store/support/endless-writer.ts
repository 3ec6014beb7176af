/** Rewrites the files named by the arguments for ever, each time with one letter only, until it is killed. */
import { DiskFiles } from '../../../src/store/index.js'
import { approved } from './as-approved.js'

const files = new DiskFiles()
for (let round = 0; ; round++) {
  const content = String.fromCharCode(97 + (round % 26)).repeat(100_000)
  for (const path of process.argv.slice(2)) files.write(approved(path), content)
  process.stdout.write('.')
}
