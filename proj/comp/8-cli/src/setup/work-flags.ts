import type { QueueSettings } from '../../../7-queue/src/index.js'
import type { ToolsetWish, WorkspaceWish } from '../../../6-replay/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { printError } from '../io/output.js'
import { applyOptions, wholeNumber } from './apply-options.js'

const MOST_WORKERS = 512
/** Default number of jobs that are on the queue at a time. */
const ON_QUEUE = 1000

/** @throws HermesError `INVALID_OPTION` */
export function countFlag(args: Arguments, name: string, preset: number, most: number): number {
  return wholeNumber(args, name, `number for --${name}`, { most, range: `from 1 to ${most}` }) ?? preset
}

/** This command's own worker processes, from `--workers` and `--batch-size`. @throws HermesError `INVALID_OPTION` */
export function ownWorkers(
  args: Arguments,
): { workers: number; batchSize: number; script: string; args: readonly string[] } {
  const [, script = '', ...words] = process.argv
  return {
    workers: countFlag(args, 'workers', 0, MOST_WORKERS), batchSize: countFlag(args, 'batch-size', 2, 10_000), script,
    args: words,
  }
}

/** @throws HermesError `INVALID_OPTION` for `--store` without a queue */
export function requireQueueOfStore(args: Arguments): void {
  if (!args.has('store') || args.has('queue')) return
  throw usageError('--store is for --queue', 'Write --queue redis://host:6379 --store DIR.')
}

/** The queue on which to put the work. @throws HermesError `INVALID_OPTION` */
export function queueSettings(args: Arguments): QueueSettings {
  if (args.has('workers')) {
    throw usageError('--workers and --queue cannot be given together', 'On the queue, hermes worker says how many.')
  }
  return {
    queue: args.value('queue') ?? '', store: args.value('store'), yes: args.has('yes'),
    onNotice: (notice) => printError(`${notice}\n`),
    concurrency: countFlag(args, 'batch-size', ON_QUEUE, 100_000),
  }
}

/** Initial content of workspaces, and toolsets to draw. @throws HermesError `INVALID_OPTION` */
export function wishes(args: Arguments): WorkspaceWish & ToolsetWish {
  const { toolsets } = applyOptions(args)
  return {
    fixture: args.value('fixture'), git: args.value('git'), repo: args.value('repo'),
    toolsetDistribution: args.value('toolset-distribution'), seed: args.value('seed'),
    execution: { ...(toolsets && { toolsets }) },
  }
}
