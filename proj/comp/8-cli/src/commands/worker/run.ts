import { availableParallelism } from 'node:os'
import {
  promptWork, serveIfPrompting, type OwnAgent, runWorker, type Ceiling, type QueueJob, type Work, replayWork,
  serveIfReplaying,
} from '../../../../7-queue/src/index.js'
import { selectToolsets } from '../../../../1-registry/src/index.js'
import { agentSetup } from '../../setup/agent-setup.js'
import { applyOptions, inFlagTerms } from '../../setup/apply-options.js'
import { usageError, type Arguments } from '../../arguments.js'
import { consentOptions } from '../../io/consent-options.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, printError } from '../../io/output.js'
import { countFlag } from '../../setup/work-flags.js'

const MOST_AT_ONCE = 512

/** `hermes worker`: replays transcripts, or runs prompts, from a queue, until interrupted. */
export async function workerCommand(args: Arguments): Promise<number> {
  const ceiling = ceilingOf(args)
  const isForPrompts = args.has('prompts')
  const served = await (isForPrompts ? serveIfPrompting(ceiling, () => ownAgent(args))
    : serveIfReplaying(ceiling, (yes, signal) => consentOptions({ yes, usesStdin: true, signal })))
  if (served) return EXIT.ok
  if (!args.has('queue')) throw usageError('No queue given', 'Write hermes worker --queue redis://host:6379.')
  if (!isForPrompts && args.has('base-url')) {
    throw usageError('--base-url is for --prompts', 'Write hermes worker --prompts --base-url URL.')
  }
  inFlagTerms(() => selectToolsets(ceiling.toolsets ?? []))
  return isForPrompts ? work(args, ceiling, promptWork(await ownAgent(args), ['worker', '--prompts', ...bounds(args)]))
    : work(args, ceiling, replayWork(['worker', ...bounds(args)]))
}

async function work<Job extends QueueJob, Answer>(
  args: Arguments, ceiling: Ceiling, kind: Work<Job, Answer>,
): Promise<number> {
  const concurrency = countFlag(args, 'concurrency', availableParallelism(), MOST_AT_ONCE)
  const interrupt = interruptible()
  const { signal } = interrupt
  const [, script = ''] = process.argv
  let isOpen = false
  try {
    await interrupt.during(() => runWorker(kind, {
      queue: args.value('queue') ?? '', store: args.value('store'), ceiling, concurrency, script, signal,
      tell: (line) => printError(`${line}\n`),
      onOpen: () => {
        isOpen = true
      },
    }))
  } finally {
    // Do not wait: BullMQ keeps reconnecting to an unreachable Redis, and a job may hang.
    if (isOpen) process.exit(interrupt.exitCode ?? EXIT.usage)
  }
  return interrupt.exitCode ?? EXIT.usage
}

/** Limits on all jobs of a worker, from its flags. @throws HermesError `INVALID_OPTION` */
function ceilingOf(args: Arguments): Ceiling {
  const { sandbox, network, timeoutMs, toolsets } = applyOptions(args)
  return { sandbox, network: network ?? false, yes: args.has('yes'), timeoutMs, toolsets }
}

/** The flags that limit what runs in a worker's processes. */
function bounds(args: Arguments): string[] {
  const { network } = applyOptions(args)
  return [
    ...['sandbox', 'timeout', 'toolset'].flatMap((name) => args.values(name).map((value) => `--${name}=${value}`)),
    ...(network === undefined ? [] : [`--network${typeof network === 'boolean' ? '' : `=${network.join(',')}`}`]),
    ...(args.has('yes') ? ['--yes'] : []),
  ]
}

/** The model server and key of this host. @throws HermesError `INVALID_OPTION` */
async function ownAgent(args: Arguments): Promise<OwnAgent> {
  // The prompt names the model.
  const { options } = await agentSetup(args, 'any')
  const { model, apiKey, baseURL, maxRetries, api, headers, temperature, maxTokens, reasoningEffort } = options
  return { model, apiKey, baseURL, maxRetries, api, headers, temperature, maxTokens, reasoningEffort, quiet: true }
}
