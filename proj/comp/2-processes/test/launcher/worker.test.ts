import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { endWorker, startWorker, type WorkerProcess } from '../../src/launcher/index.js'

function workerOf(code: string, ...args: string[]): WorkerProcess {
  const file = join(tempDir(), 'worker.cjs')
  writeFileSync(file, code)
  return startWorker(file, args, { GIVEN: 'variable' })
}

it('a worker is the script it is given, with the arguments and the environment it is given', async () => {
  const worker = workerOf("process.send([process.argv[2], process.env.GIVEN, process.env.HOME])\nprocess.on('disconnect', () => process.exit(4))", 'argument')
  expect(await new Promise(resolve => worker.once('message', resolve))).toEqual(['argument', 'variable', null])
  await endWorker(worker, 20_000)
  expect(worker.exitCode).toBe(4)
  await endWorker(worker, 0)
})

it('a worker that does not end when it is left is killed', async () => {
  const worker = workerOf("setInterval(() => undefined, 1000)\nprocess.on('SIGTERM', () => undefined)\nprocess.send('ready')")
  await new Promise(resolve => worker.once('message', resolve))
  await endWorker(worker, 200)
  expect(worker.signalCode).toBe('SIGKILL')
})
