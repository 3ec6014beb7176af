import { caughtLater, HermesError, type HermesOptions } from '../../../0-contracts/src/index.js'
import { parametersOf } from '../../../5-executor/src/index.js'
import { loadMapping, mappingOfText, type ToolMapping } from '../../../2-mapping/src/index.js'
import {
  replayTranscript, serveAsWorker, serveIfStarted, unrunReport, type ReplayOptions,
} from '../../../6-replay/src/index.js'
import { DIRECTORY, underCeiling, type Ceiling } from '../jobs/index.js'
import type { LocalPlan } from './job-runner.js'

const MOST_MAPPINGS = 32

/** Makes the functions that answer approvals, given whether dangerous commands were approved in advance. */
export type Consent = (yes: boolean, signal: AbortSignal) => Pick<HermesOptions, 'approve' | 'ui'>

/** If this process replays for a worker: serves until that is gone. @returns whether it was one */
export async function serveIfReplaying(ceiling: Ceiling, consent: Consent): Promise<boolean> {
  const mappingOf = mappings()
  return serveIfStarted(DIRECTORY, ({ directory, signal, stop }) => serveAsWorker<LocalPlan>((plan, transcript) => {
    const replay = async () => replayTranscript(transcript, {
      ...await optionsOf(plan, ceiling, { mappingOf, consent, signal }), directory, signal,
    })
    // A mapping that this version does not support.
    return caughtLater(HermesError, replay, (error) => unrunReport(transcript, error))
  }, stop))
}

async function optionsOf(
  { settings, workspace, expect, mapping }: LocalPlan, ceiling: Ceiling,
  { mappingOf, consent, signal }: { mappingOf: MappingOf; consent: Consent; signal: AbortSignal },
): Promise<Omit<ReplayOptions, 'directory' | 'signal'>> {
  const { yes, ...execution } = underCeiling(settings.execution, ceiling)
  const { exportFormat, keepResults } = settings
  return {
    workspace: workspace === undefined ? { kind: 'empty' }
      : { kind: 'fixture', directory: workspace, within: workspace },
    mapping: await mappingOf(settings.mapping.kind === 'shipped' ? settings.mapping.names : mapping ?? ''),
    // Unset options are absent, since this came as JSON.
    execution: {
      ...execution as HermesOptions, allow: [], durable: false, ...consent(yes, signal),
    },
    expect: settings.expect?.kind === 'hash' ? settings.expect.hash : expect,
    exportFormat, ...(keepResults === true && { keepResults }),
  }
}

type MappingOf = (written: string | readonly string[]) => Promise<ToolMapping>

/** Loads each mapping once, and remembers a limited number of them. */
function mappings(): MappingOf {
  const known = new Map<string, Promise<ToolMapping>>()
  return (written) => {
    const key = typeof written === 'string' ? written : JSON.stringify(written)
    const kept = known.get(key)
      ?? (typeof written === 'string' ? mappingOfText(written, parametersOf) : loadMapping(written, parametersOf))
    if (known.size >= MOST_MAPPINGS) known.clear()
    known.set(key, kept)
    return kept
  }
}
