import { usageError, type Arguments } from '../arguments.js'
import { serveIfPrompting } from '../prompt-worker-child.js'
import { promptWork } from '../prompt-worker.js'
import { serveIfReplaying } from '../queue-worker-child.js'
import { replayWork } from '../replay-worker.js'
import { workerCeiling } from '../worker-ceiling.js'
import { runWorker } from '../worker-run.js'

/** `hermes worker`: replays transcripts, or runs prompts, that others put on a queue, until it is interrupted. */
export async function workerCommand(args: Arguments): Promise<number> {
  const ceiling = workerCeiling(args)
  const isForPrompts = args.has('prompts')
  const served = await (isForPrompts ? serveIfPrompting(args, ceiling) : serveIfReplaying(ceiling))
  if (served !== undefined) return served
  if (!args.has('queue')) throw usageError('No queue given', 'Write hermes worker --queue redis://host:6379.')
  if (!isForPrompts && args.has('base-url')) {
    throw usageError('--base-url is for --prompts', 'Write hermes worker --prompts --base-url URL.')
  }
  return isForPrompts ? runWorker(args, ceiling, await promptWork(args)) : runWorker(args, ceiling, replayWork(args))
}
