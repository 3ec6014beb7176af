import { spawnSync } from 'node:child_process'
import { locatingPty, run } from '../../src/launcher/index.js'

/** Prints what of the descriptors that its arguments name is open in programs that it starts, each way. */
const script = 'for n; do if [ -e /proc/$$/fd/$n ]; then readlink /proc/$$/fd/$n; else echo closed; fi; done'
const args = ['-c', script, 'sh', ...process.argv.slice(2)]
const env = { PATH: '/usr/bin:/bin' }
process.stdout.write((await run({ program: '/bin/sh', args, env })).stdout)
const pty = locatingPty({
  spawn(file, words) {
    // As the package does, which passes on what is open.
    const { stdout, pid } = spawnSync(file, words, { env })
    process.stdout.write(stdout)
    const nothing = (): undefined => undefined
    return { pid, onData: nothing, onExit: nothing, write: nothing, destroy: nothing }
  },
})
pty.spawn('sh', args, { cols: 80, rows: 24, cwd: '/', env, encoding: null })
