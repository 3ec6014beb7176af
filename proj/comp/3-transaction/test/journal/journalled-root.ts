import { join } from 'node:path'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import { DiskFiles } from '../../../2-files/src/store/index.js'
import { Baselines, JournalledFiles, readRun, RunJournal, type RunRecord } from '../../src/journal/index.js'

/** A root with a journal that is open, for tests of the journal alone. */
export class JournalledRoot {
  readonly directory = tempDir()
  readonly journal: RunJournal
  readonly baselines = new Baselines()
  readonly files: JournalledFiles

  constructor(durable = false) {
    this.journal = new RunJournal(this.directory, { runId: 'r1', kind: 'run', startedAt: '2025-01-01T00:00:00.000Z' }, durable)
    this.files = new JournalledFiles(new DiskFiles(), () => this.journal, this.baselines)
  }

  at(name: string): ApprovedPath {
    return join(this.directory, name) as ApprovedPath
  }

  read(): RunRecord {
    const run = readRun(this.directory, 'r1')
    if (!run) throw new Error('no run')
    return run
  }
}
