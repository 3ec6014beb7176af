import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { HermesOptions } from '../../../0-contracts/src/index.js'
import { Hermes, parametersOf, type ExecutorOptions } from '../../../5-executor/src/index.js'
import { loadMapping } from '../../../2-mapping/src/index.js'
import { readTranscriptFile, runKeeper } from '../../../2-transcripts/src/index.js'
import { replayTranscript, type TranscriptReport } from '../../src/index.js'

/** Runs an answer in a root, and records it. */
export async function record(
  root: string, file: string, answer: string, more: Partial<ExecutorOptions> = {},
): Promise<void> {
  const options = { root, rootAliases: ['/w'], dryRun: false, gitCommit: false as const }
  const keeper = runKeeper({ record: file, trajectory: undefined, format: 'sharegpt', options, ...(more.secrets && { secrets: more.secrets }) })
  if (!keeper) throw new Error('nothing is kept')
  await using hermes = new Hermes({
    ...options, ...more, policy: false, onEvent: (event) => keeper.event(event), ...(keeper.touch && { onTouch: keeper.touch }),
  })
  keeper.begin(answer)
  const result = await hermes.execute(answer)
  await keeper.end(answer, result, hermes.registry)
}

/** What comes of a recording where nothing else is there. */
export async function replayed(file: string, more: Partial<HermesOptions> = {}): Promise<TranscriptReport> {
  const mapping = await loadMapping(['common'], parametersOf)
  for await (const item of readTranscriptFile(file)) {
    if ('bad' in item) throw new Error(`${item.bad.code}: ${item.bad.message}`)
    const { report } = await replayTranscript(item.transcript, {
      workspace: { kind: 'empty' }, mapping, execution: { ...more, policy: false }, signal: new AbortController().signal,
    })
    return report
  }
  throw new Error('nothing was read')
}

export function events(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
}

export function call(name: string, args: Readonly<Record<string, unknown>>): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
}

export function canonical(directory: string, name = ''): string {
  return join(realpathSync.native(directory), name)
}
