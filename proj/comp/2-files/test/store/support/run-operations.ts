/** Runs the file operations given as JSON in the first argument; prints their outcomes as JSON. */
import type { FileStore } from '../../../../0-contracts/src/index.js'
import { DiskFiles, OverlayFiles } from '../../../src/store/index.js'
import { approved, outcome } from './as-approved.js'

export interface Job {
  umask: number
  overlay: boolean
  operations: {
    method: 'write' | 'copy' | 'remove' | 'list' | 'read' | 'makeDirectories' | 'move'
    path: string
    to?: string
  }[]
}

const job = JSON.parse(process.argv[2] ?? '') as Job
process.umask(job.umask)
const files: FileStore = job.overlay ? new OverlayFiles() : new DiskFiles()
const results = job.operations.map(({ method, path, to = '' }) => outcome((): unknown => {
  const target = approved(path)
  switch (method) {
    case 'write': return files.write(target, 'new').bytes
    case 'copy': return files.copy(target, approved(to)).bytes
    case 'read': return Buffer.from(files.readBytes(target, 1000)).toString()
    case 'list': return files.list(target).map(({ name }) => name)
    case 'remove': return files.remove(target) ?? 'done'
    case 'makeDirectories': return files.makeDirectories(target).length
    case 'move': return files.move(target, approved(to)) ?? 'done'
  }
}))
process.stdout.write(JSON.stringify(results))
