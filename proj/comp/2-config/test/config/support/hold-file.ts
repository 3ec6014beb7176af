/** Locks the file it is given, says so, and holds it until it is killed. */
import { writeSync } from 'node:fs'
import { whileLocked } from '../../../src/config/index.js'

await whileLocked(process.argv[2] ?? '', () => {
  writeSync(1, 'held\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
