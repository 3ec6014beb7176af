import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  batchPlan, batchRunner, renderBatch, requireEndpoint, runBatch, serveIfBatching, type BatchPlan, type BatchStatistics,
} from '../../../batch/src/index.js'
import { orNothing } from '../../../contracts/src/index.js'
import { plural } from '../../../reports/src/index.js'
import { agentSetup } from '../agent-setup.js'
import { usageError, type Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { isTerminal, print, printError, printJson, wantsColour } from '../output.js'
import { isRefusal, refuse } from '../refusals.js'
import { ownWorkers, queueSettings, wishes } from '../work-flags.js'

const EVERY_MS = { terminal: 100, plain: 10_000 }

/** `hermes batch`: many prompts, each in a workspace of its own. */
export async function batch(args: Arguments): Promise<number> {
  if (args.has('store') && !args.has('queue')) {
    throw usageError('--store is for --queue', 'Write --queue redis://host:6379 --store DIR.')
  }
  if (args.has('queue-status')) {
    const { showQueueStatus } = await import('../queue-status.js')
    return showQueueStatus(args)
  }
  const [file] = args.positionals
  if (file === undefined) throw usageError('No prompts given', 'Write hermes batch PROMPTS.jsonl --out DIR.')
  const out = args.value('out')
  if (out === undefined) throw usageError('Nothing says where the results are to be kept', 'Write --out DIR.')
  if (!orNothing(() => statSync(file).isFile(), false)) {
    throw usageError(`There is no file ${file}`, 'Name a JSONL file: one object with a prompt a line.')
  }
  const plan = await planOf(args)
  if (await serveIfBatching(plan)) return EXIT.ok
  const queued = args.has('queue') ? await import('../../../batch-queue/src/index.js') : undefined
  const queue = queued && queueSettings(args, (notice) => printError(`${notice}\n`))
  // Whoever asks the model has to have its key; on the queue that is the worker.
  if (queue) queued.requireSendable(queue, plan)
  else requireEndpoint(plan)
  const interrupt = interruptible()
  const directory = resolve(out)
  const progress = progressOf()
  try {
    const { statistics, told, trajectories } = await interrupt.during(() => runBatch({
      file, directory, isResumed: args.has('resume'), plan, signal: interrupt.signal, onProgress: progress.tell,
      openRunner: () => queue ? queued.batchQueueRunner(queue, plan, { signal: interrupt.signal, directory })
        : batchRunner(ownWorkers(args), plan, interrupt.signal),
    }))
    progress.end()
    if (told !== undefined) printError(`${told}\n`)
    if (args.has('json')) printJson({ ...statistics, ...(trajectories !== undefined && { trajectories }) })
    else print(renderBatch(statistics, { colour: wantsColour() }))
    if (interrupt.exitCode !== undefined) {
      printError(`Interrupted. What is done is kept; the same command with --resume goes on.\n`)
      return interrupt.exitCode
    }
    printError(`Trajectories: ${trajectories}\n`)
    return statistics.failed + statistics.bad.length > 0 ? EXIT.failed : EXIT.ok
  } catch (error) {
    if (!isRefusal(error)) throw error
    progress.end()
    refuse(error, args.has('json'))
    return EXIT.usage
  }
}

async function planOf(args: Arguments): Promise<BatchPlan> {
  const { options, settings } = await agentSetup(args)
  const { root: _, saveTrajectories: _saved, ...agent } = options
  return batchPlan({
    agent, maxTurns: settings.maxTurns, yes: args.has('yes'), program: process.argv[1] ?? '', ...wishes(args),
  })
}

function progressOf(): { tell: (statistics: BatchStatistics) => void; end: () => void } {
  const isLive = isTerminal('stderr') && process.env['TERM'] !== 'dumb'
  let toldAt = performance.now()
  let isShown = false
  return {
    tell({ prompts, failed, tokens }) {
      if (performance.now() - toldAt < (isLive ? EVERY_MS.terminal : EVERY_MS.plain)) return
      toldAt = performance.now()
      isShown = isLive
      const line = `${plural(prompts, 'prompt')} done, ${failed} failed, ${tokens.input + tokens.output} tokens`
      printError(isLive ? `\r\u001b[2K${line}` : `${line}\n`)
    },
    end: () => {
      if (isShown) printError('\r\u001b[2K')
      isShown = false
    },
  }
}
