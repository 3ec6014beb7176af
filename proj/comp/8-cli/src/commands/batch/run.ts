import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  batchPlan, batchProgress, batchRunner, paidAgainLines, renderBatch, requireEndpoint,
  runBatch, serveIfBatching, type BatchPlan,
} from '../../../../7-queue/src/index.js'
import type { RunAgain } from '../../../../6-replay/src/index.js'
import { HermesError, orNothing } from '../../../../0-contracts/src/index.js'
import { agentSetup, tellNotes, type AgentSetup } from '../../setup/agent-setup.js'
import { requireNoQueue } from '../../setup/extension-limits.js'
import { usageError, type Arguments } from '../../arguments.js'
import { askYes, mayAsk } from '../../io/ask-yes.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, isTerminal, print, printError, printJson, wantsColour } from '../../io/output.js'
import { isRefusal, refuse } from '../../io/refusals.js'
import { ownWorkers, queueSettings, requireQueueOfStore, wishes } from '../../setup/work-flags.js'

/** `hermes batch`: runs many prompts, each in its own workspace. */
export async function batch(args: Arguments): Promise<number> {
  requireQueueOfStore(args)
  if (args.has('queue-status')) return (await import('../replay/queue-status.js')).showQueueStatus(args)
  const [file] = args.positionals
  if (file === undefined) throw usageError('No prompts given', 'Write hermes batch PROMPTS.jsonl --out DIR.')
  const out = args.value('out')
  if (out === undefined) throw usageError('Nothing says where the results are to be kept', 'Write --out DIR.')
  if (!orNothing(() => statSync(file).isFile(), false)) {
    throw usageError(`There is no file ${file}`, 'Name a JSONL file: one object with a prompt a line.')
  }
  requireNoQueue(args)
  const setup = await agentSetup(args)
  const plan = await planOf(args, setup)
  if (await serveIfBatching(plan)) return EXIT.ok
  tellNotes(setup)
  const queued = args.has('queue') ? await import('../../../../7-queue/src/index.js') : undefined
  const queue = queued && queueSettings(args)
  // Whoever asks the model needs its key; with a queue that is the worker.
  if (queue) queued.requireSendable(queue, plan)
  else requireEndpoint(plan)
  const interrupt = interruptible()
  const directory = resolve(out)
  const progress = batchProgress({
    isTerminal: isTerminal('stderr') && process.env['TERM'] !== 'dumb', write: printError,
  })
  try {
    const { statistics, told, trajectories } = await interrupt.during(() => runBatch({
      file, directory, isResumed: args.has('resume'), plan, signal: interrupt.signal, onProgress: progress.tell,
      confirmAgain: (again) => confirmAgain(again, args.has('yes'), interrupt.signal),
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

/** Asks before prompts that already have a result are paid for again. */
async function confirmAgain(again: readonly RunAgain[], yes: boolean, signal: AbortSignal): Promise<void> {
  const [count = '', ...reasons] = paidAgainLines(again)
  if (!yes && !mayAsk()) {
    throw new HermesError('NO_USER', `${count}, and there is nobody to ask: ${reasons.join('; ')}`, {
      hint: 'Nothing was run. --yes runs them again (and approves what asks for it); with the settings and prompts as '
        + 'they were, what is there is kept; another --out begins anew.',
    })
  }
  printError(`${[`${count}:`, ...reasons].join('\n  ')}\n`)
  if (yes || await askYes('Run them?', false, signal)) return
  throw new HermesError('CANCELLED', 'Nothing was run', { hint: 'What is there is kept; another --out begins anew.' })
}

async function planOf(args: Arguments, { options, settings }: AgentSetup): Promise<BatchPlan> {
  const { root: _, saveTrajectories: _saved, extensionUi: _ui, ...agent } = options
  return batchPlan({
    agent, maxTurns: settings.maxTurns, yes: args.has('yes'), program: process.argv[1] ?? '', ...wishes(args),
  })
}
