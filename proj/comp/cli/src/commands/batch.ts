import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { requireEndpoint, runBatch, type BatchPlan, type BatchStatistics } from '../../../batch/src/index.js'
import { orNothing } from '../../../contracts/src/index.js'
import { createPalette, plural } from '../../../reports/src/index.js'
import { clip, escapeControls } from '../../../text/src/index.js'
import { agentSetup } from '../agent-setup.js'
import { usageError, type Arguments } from '../arguments.js'
import { approvals, batchRunner, serveIfBatching } from '../batch-run.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { isTerminal, print, printError, printJson, wantsColour } from '../output.js'
import { toolsetDraw, workspaceOf } from '../replay-flags.js'
import { decidingSettings } from '../replay-settings.js'
import { isRefusal, refuse } from '../refusals.js'

const EVERY_MS = { terminal: 100, plain: 10_000 }
const MOST_SHOWN = 20
/** Characters of a name and of a message, which a model or a worker may have made up. */
const MOST_NAME = 100
const MOST_MESSAGE = 500

/** `hermes batch`: many prompts, each in a workspace of its own. */
export async function batch(args: Arguments): Promise<number> {
  if (args.has('store') && !args.has('queue')) {
    throw usageError('--store is for --queue', 'Write --queue redis://host:6379 --store DIR.')
  }
  if (args.has('queue-status')) {
    const { showQueueStatus } = await import('../queue-status-text.js')
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
  const served = await serveIfBatching(plan)
  if (served !== undefined) return served
  const queued = args.has('queue') ? await import('../batch-queue-run.js') : undefined
  // Whoever asks the model has to have its key; on the queue that is the worker.
  if (queued) queued.requireSendable(args, plan)
  else requireEndpoint(plan)
  const interrupt = interruptible()
  const directory = resolve(out)
  const progress = progressOf()
  try {
    const { statistics, told, trajectories } = await interrupt.during(() => runBatch({
      file, directory, isResumed: args.has('resume'), plan, signal: interrupt.signal, onProgress: progress.tell,
      openRunner: () => queued?.batchQueueRunner(args, plan, { signal: interrupt.signal, directory })
        ?? batchRunner(args, plan, interrupt.signal),
    }))
    progress.end()
    if (told !== undefined) printError(`${told}\n`)
    if (args.has('json')) printJson({ ...statistics, ...(trajectories !== undefined && { trajectories }) })
    else print(summary(statistics))
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
  const draw = toolsetDraw(args, {})
  const {
    model, baseURL, style, maxTurns, systemPrompt, enabledToolsets, disabledToolsets, sandbox, network, policy,
  } = agent
  return {
    agent: { ...agent, ...approvals(args.has('yes')) },
    workspace: workspaceOf(args, {}),
    toolsetDraw: draw,
    decides: await decidingSettings({
      mapping: '', format: undefined,
      execution: {
        ...(sandbox !== undefined && { sandbox }), ...(network !== undefined && { network }),
        ...(policy !== undefined && { policy }),
      },
    }).then(({ mapping: _mapping, ...decides }) => ({
      ...decides, model, 'base-url': baseURL ?? '', style: style ?? 'native',
      'max-turns': String(maxTurns ?? settings.maxTurns),
      ...(args.has('yes') && { yes: 'true' }), ...(systemPrompt !== undefined && { 'system-prompt': systemPrompt }),
      ...(enabledToolsets && { toolsets: enabledToolsets.join(',') }),
      ...(disabledToolsets && { 'disabled-toolsets': disabledToolsets.join(',') }),
      ...(draw && { 'toolset-distribution': JSON.stringify(draw) }),
    })),
  }
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

function shown(text: string, most: number): string {
  return escapeControls(clip(text, most))
}

function summary({ prompts, answered, stopped, failed, failures, bad, tokens, tools }: BatchStatistics): string {
  const { bad: red, good, faint, strong } = createPalette(wantsColour())
  const width = Math.max(0, ...Object.keys(tools).map((name) => shown(name, MOST_NAME).length))
  const lines = [
    ...Object.entries(tools).sort(([, one], [, other]) => other.calls - one.calls).map(([name, { calls, failure }]) => (
      `  ${shown(name, MOST_NAME).padEnd(width)}  `
        + `${plural(calls, 'call')}${failure === 0 ? '' : `, ${red(`${failure} failed`)}`}`
    )),
    ...failures.slice(0, MOST_SHOWN).map(({ name, code, message }) =>
      `${red('✗')} ${shown(name, MOST_NAME)}: ${shown(message, MOST_MESSAGE)} ${faint(code)}`),
    ...(failures.length > MOST_SHOWN
      ? [faint(`… ${failures.length - MOST_SHOWN} more failures in statistics.json`)] : []),
    ...bad.slice(0, MOST_SHOWN).map(({ line, problem }) => `${red('✗')} line ${line}: ${problem}`),
    [
      strong(plural(prompts, 'prompt')), good(`${answered} answered`),
      ...(stopped === 0 ? [] : [`${stopped} stopped before an answer`]),
      ...(failed === 0 ? [] : [red(`${failed} failed`)]),
      ...(bad.length === 0 ? [] : [red(`${bad.length} unreadable`)]),
      faint(`${tokens.input} tokens in, ${tokens.output} out`),
    ].join(' · '),
  ]
  return `${lines.join('\n')}\n`
}
