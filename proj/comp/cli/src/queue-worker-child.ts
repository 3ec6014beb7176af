import { HermesError, type HermesOptions } from '../../contracts/src/index.js'
import type { ReplayOptions } from '../../replay/src/index.js'
import { replayTranscript, serveAsWorker, unrunReport } from '../../replay/src/index.js'
import { underCeiling, type Ceiling } from '../../job-queue/src/index.js'
import type { LocalPlan } from '../../replay-queue/src/index.js'
import { loadMapping, mappingOfText, type ToolMapping } from '../../tool-mapping/src/index.js'
import type { Arguments } from './arguments.js'
import { consentOptions } from './consent.js'
import { EXIT } from './exit-codes.js'
import { parametersOf } from './replay-flags.js'

/** Tells a process that it works for a worker, and where it makes its workspaces. */
const DIRECTORY = 'HERMES_WORKER_DIRECTORY'
const MOST_MAPPINGS = 32

/** The flags that bound what is run for a worker. */
export function boundingFlags(args: Arguments): string[] {
  return [...['sandbox', 'timeout', 'toolset'].flatMap(
    (name) => args.values(name).map((value) => `--${name}=${value}`),
  ),
    ...['network', 'yes'].filter((name) => args.has(name)).map((name) => `--${name}`)]
}

/** What runs there is not to find the credentials of the queue and the store. */
export function childEnvironment(directory: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env)
    .filter(([name]) => name !== 'HERMES_QUEUE_PASSWORD' && !name.startsWith('AWS_'))
  return { ...Object.fromEntries(kept), [DIRECTORY]: directory }
}

/** Where this process works for a worker: where it makes its workspaces, and what ends them. */
export function servedDirectory(): { directory: string; controller: AbortController } | undefined {
  const directory = process.env[DIRECTORY]
  if (directory === undefined || !process.send) return undefined
  delete process.env[DIRECTORY]
  // A signal of the terminal reaches the whole group: what to do about it, the worker says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  return { directory, controller: new AbortController() }
}

/** Where this process replays for a worker: serves until that is gone. */
export async function serveIfReplaying(ceiling: Ceiling): Promise<number | undefined> {
  const served = servedDirectory()
  if (!served) return undefined
  const { directory, controller } = served
  const mappingOf = mappings()
  const { signal } = controller
  await serveAsWorker<LocalPlan>(async (plan, transcript) => {
    try {
      return await replayTranscript(transcript, {
        ...await optionsOf(plan, ceiling, { mappingOf, signal }), directory, signal,
      })
    } catch (error) {
      // A mapping that this version does not understand.
      if (!(error instanceof HermesError)) throw error
      return unrunReport(transcript, error)
    }
  }, () => controller.abort())
  return EXIT.ok
}

async function optionsOf(
  { settings, workspace, expect, mapping }: LocalPlan, ceiling: Ceiling,
  { mappingOf, signal }: { mappingOf: MappingOf; signal: AbortSignal },
): Promise<Omit<ReplayOptions, 'directory' | 'signal'>> {
  const { yes, ...execution } = underCeiling(settings.execution, ceiling)
  const { exportFormat, keepResults } = settings
  return {
    workspace: workspace === undefined ? { kind: 'empty' }
      : { kind: 'fixture', directory: workspace, within: workspace },
    mapping: await mappingOf(settings.mapping.kind === 'shipped' ? settings.mapping.names : mapping ?? ''),
    // Without a value a setting is not there: it came as JSON.
    execution: {
      ...execution as HermesOptions, allow: [], durable: false, ...consentOptions({ yes, usesStdin: true, signal }),
    },
    expect: settings.expect?.kind === 'hash' ? settings.expect.hash : expect,
    exportFormat, ...(keepResults === true && { keepResults }),
  }
}

type MappingOf = (written: string | readonly string[]) => Promise<ToolMapping>

/** Mappings are read once each; those of many replays at most so many. */
function mappings(): MappingOf {
  const known = new Map<string, Promise<ToolMapping>>()
  return (written) => {
    const key = typeof written === 'string' ? written : JSON.stringify(written)
    const found = known.get(key)
      ?? (typeof written === 'string' ? mappingOfText(written, parametersOf) : loadMapping(written, parametersOf))
    if (known.size >= MOST_MAPPINGS) known.clear()
    known.set(key, found)
    return found
  }
}
