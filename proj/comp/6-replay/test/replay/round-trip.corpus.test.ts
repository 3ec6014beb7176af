import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { spread } from '../../../../test/support/campaign.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { EDIT_FORMATS } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/executor/index.js'
import { VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { createMasker } from '../../../0-text/src/secrets/index.js'
import { loadMapping, type ToolMapping } from '../../../2-mapping/src/index.js'
import {
  EXPORT_FORMATS, readTranscriptFile, Recorder, trajectoryLine, type Transcript,
} from '../../../2-transcripts/src/index.js'
import { VERBS } from '../../../5-executor/src/verbs/index.js'
import { OUTCOMES, replayTranscript, type Replayed } from '../../src/replay/index.js'
import { answer, FILES } from './answers.js'

const RUNS = 50
let mapping: ToolMapping

beforeAll(async () => {
  // What no rule names needs no verb to be known.
  mapping = await loadMapping([], async () => undefined)
})

async function only(file: string): Promise<Transcript> {
  for await (const item of readTranscriptFile(file)) {
    if ('bad' in item) throw new Error(item.bad.message)
    return item.transcript
  }
  throw new Error('nothing to read')
}

async function again(transcript: Transcript, fixture: string): Promise<Replayed> {
  const signal = new AbortController().signal
  return replayTranscript(transcript, {
    workspace: { kind: 'fixture', directory: fixture }, mapping, execution: { gitCommit: false, policy: false }, signal,
  })
}

/** Two answers, one after the other, as one recording. */
async function record(number: number, file: string): Promise<void> {
  const root = tempDir()
  writeTree(root, FILES)
  const rootAliases = ['/workspace']
  const recorder = new Recorder(file, createMasker({}))
  const hermes = new Hermes({ root, rootAliases, editFormats: EDIT_FORMATS, gitCommit: false, policy: false, onEvent: (event) => recorder.event(event) })
  for (const text of [answer(number), answer(number + 1000)]) {
    recorder.begin({ root, rootAliases, settings: { editFormats: EDIT_FORMATS }, text })
    await hermes.execute(text)
  }
  await hermes[Symbol.asyncDispose]()
  recorder.close()
}

describe('record, replay, export, replay', () => {
  it.each(spread(Array.from({ length: RUNS }, (_, index) => index), 25))('run %i gives the same results in every format', async (number) => {
    const directory = tempDir()
    const fixture = join(directory, 'fixture')
    writeTree(fixture, FILES)
    await record(number, join(directory, 'run.jsonl'))
    const recording = await only(join(directory, 'run.jsonl'))
    const first = await again(recording, fixture)
    expect(first.report).toMatchObject({ blocks: [], drifted: false })
    const rules = { registry: new VerbRegistry(VERBS), rules: { relativePaths: false, root: recording.root ?? '', rootAliases: recording.rootAliases ?? [] } }
    for (const format of EXPORT_FORMATS) {
      const file = join(directory, `${format}.jsonl`)
      writeFileSync(file, `${await trajectoryLine(recording, format, rules)}\n`)
      const exported = await only(file)
      const { report } = await again(exported, fixture)
      expect(report.blocks, format).toEqual([])
      expect(report.counts, format).toEqual(first.report.counts)
    }
    for (const outcome of OUTCOMES) if (outcome !== 'same') expect(first.report.counts[outcome], outcome).toBe(0)
  })
})
