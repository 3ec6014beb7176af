import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readAgentSettings, type AgentSettings } from '../../../../2-config/src/index.js'
import {
  addJob, CronRunner, cronWork, jobStates, jobSchedule, messageTarget, noJob, readJobs, removeJob, renderCronRun,
  renderJobs, RunLog, type CronRun, type Job,
} from '../../../../7-services/src/index.js'
import { escapeControls, shownTime } from '../../../../0-text/src/index.js'
import { plural } from '../../../../1-reports/src/index.js'
import { agentSetup, tellNotes } from '../../setup/agent-setup.js'
import { applyOptions } from '../../setup/apply-options.js'
import { usageError, type Arguments } from '../../arguments.js'
import { existingRoot } from '../../setup/existing-root.js'
import { interruptible } from '../../io/interrupt.js'
import { requireOwnFlags, unknownSubcommand } from '../../subcommand.js'
import { asTyped, EXIT, print, printError, printFound, printJson, wantsColour } from '../../io/output.js'

const ACTIONS = ['add', 'list', 'remove', 'run', 'log']
/** Flags that only some of the actions take. */
const TAKEN_BY: Readonly<Record<string, readonly string[]>> = {
  answer: ['add'], name: ['add'], 'time-zone': ['add'], model: ['add'], once: ['run'], limit: ['log'], output: ['log'],
  deliver: ['add'],
}
/** Stands for the model where none is configured. */
const UNNAMED = ''
const MOST = { list: 1, add: 3, remove: 2, run: 2, log: 2 } as const

/** `hermes cron`: jobs, the process that runs them, and their results. */
export async function cron(args: Arguments): Promise<number> {
  const [action, first, second] = args.positionals
  if (action === undefined) throw usageError('cron: what is to be done?', `Write hermes cron ${ACTIONS.join('|')}.`)
  if (!ACTIONS.includes(action)) throw unknownSubcommand('cron', action, ACTIONS)
  requireOwnFlags('cron', action, args, TAKEN_BY)
  if (args.positionals.length > MOST[action as keyof typeof MOST]) {
    throw usageError(`Unexpected argument: ${args.positionals.at(-1)}`, 'Quote what holds spaces.')
  }
  const settings = await readAgentSettings()
  const directory = join(settings.home, 'cron')
  const zone = settings.cron.time_zone
  if (action === 'add') return add(args, directory, settings, first, second)
  if (action === 'list') return list(args, directory, zone)
  if (action === 'log') {
    return showLog(args, { runs: new RunLog(directory), jobs: readJobs(directory), id: first, zone })
  }
  if (action === 'run') return run(args, directory, settings, first)
  if (first === undefined) throw usageError('cron remove: no JOB given', 'hermes cron list has them.')
  await removeJob(directory, first)
  return printFound(args, { removed: first }, () => (
    `${asTyped(escapeControls(`Removed ${first}. What its runs printed stays: hermes cron log ${first}`))}\n`))
}

async function add(
  args: Arguments, directory: string, settings: AgentSettings, schedule: string | undefined,
  prompt: string | undefined,
): Promise<number> {
  const zone = settings.cron.time_zone
  const answer = args.value('answer')
  if (schedule === undefined) throw usageError('cron add: no SCHEDULE given', 'Such as "30 7 * * 1-5", quoted.')
  if ((prompt === undefined) === (answer === undefined)) {
    throw usageError('cron add: give a PROMPT or --answer FILE, one of them', 'See hermes cron --help.')
  }
  const timeZone = args.value('time-zone')
  const deliver = args.value('deliver')
  // A wrong target should be reported now, and not when the job runs.
  if (deliver !== undefined) messageTarget(settings, deliver)
  const job = await addJob(directory, {
    id: args.value('name'), schedule, root: realpathSync(existingRoot(args)), createdMs: Date.now(),
    ...(timeZone !== undefined && { timeZone }), ...(deliver !== undefined && { deliver }),
    ...(args.value('model') !== undefined && { model: args.value('model') }),
    ...(answer === undefined ? { prompt } : { answer: realpathSync(resolve(answer)) }),
  }, zone)
  const next = (await jobSchedule(job, zone)).next(Date.now())
  return printFound(args, { ...job, nextMs: next ?? null }, () => (
    `Added ${job.id}; ${job.atMs === undefined ? 'next' : 'once'} at ${shownTime(next, zone)}. `
      + asTyped('It runs while hermes cron run does.\n')))
}

async function list(args: Arguments, directory: string, zone: string | undefined): Promise<number> {
  const jobs = await jobStates(directory, zone)
  return printFound(args, jobs, () => (jobs.length === 0 ? asTyped('There are no jobs: hermes cron add makes one.\n')
    : renderJobs(jobs, { colour: wantsColour(), zone })))
}

async function run(
  args: Arguments, directory: string, settings: AgentSettings, id: string | undefined,
): Promise<number> {
  const {
    time_zone: zone, keep_runs: keepRuns, keep_output: keepOutput, run_time: runTimeMs, late: lateMs,
  } = settings.cron
  const { allow, sandbox, network, gitCommit, waitMs } = applyOptions(args)
  // A job may name its model; the other settings are the same for all.
  const setup = await agentSetup(args, UNNAMED)
  tellNotes(setup)
  const { options: agent } = setup
  const interrupt = interruptible()
  const isForever = id === undefined && !args.has('once')
  if (isForever && args.has('json')) {
    throw usageError('cron run: --json goes with --once or JOB', 'hermes cron log --json has what a runner has done.')
  }
  const ended: CronRun[] = []
  let hasFailed = false
  const show = (cronRun: CronRun): void => {
    if (!args.has('json')) print(`${renderCronRun(cronRun, { zone })}\n`)
  }
  const runner = new CronRunner({
    directory, timeZone: zone, lateMs, keepRuns, keepOutput, runTimeMs, signal: interrupt.signal,
    work: cronWork({ agent, model: agent.model === UNNAMED ? undefined : agent.model, hermes: {
      ...(allow && { allow }), ...(sandbox !== undefined && { sandbox }), ...(network !== undefined && { network }),
      ...(gitCommit !== undefined && { gitCommit }),
      // As for prompts: nothing is committed automatically.
      ...(setup.settings.autoCommit === 'none' && { gitCommit: false }), ...(waitMs !== undefined && { waitMs }),
    } }),
    // Read again, since an adapter may have been set up meanwhile.
    deliver: async (to, text, signal) => messageTarget(await readAgentSettings(), to).send(text, signal),
    onDelivery: show,
    onProblem: (problem) => printError(`${escapeControls(problem)}\n`),
    onRun(cronRun) {
      hasFailed ||= cronRun.outcome === 'failed'
      if (cronRun.outcome !== 'running') ended.push(cronRun)
      show(cronRun)
    },
  })
  if (isForever) print(`${plural(readJobs(directory).length, 'job')}; Ctrl-C ends the runner.\n`)
  await interrupt.during(() => (id !== undefined ? runner.runNow(id) : isForever ? runner.forever() : runner.once()))
  if (args.has('json')) printJson(ended)
  return interrupt.exitCode ?? (hasFailed && !isForever ? EXIT.failed : EXIT.ok)
}

function showLog(
  args: Arguments,
  { runs, jobs, id, zone }: { runs: RunLog; jobs: readonly Job[]; id: string | undefined; zone: string | undefined },
): number {
  const known = [...new Set([...jobs.map((job) => job.id), ...runs.jobs()])]
  if (id !== undefined && !known.includes(id)) throw noJob(id, jobs)
  const limit = Number(args.value('limit') ?? 20)
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw usageError(`Invalid number of runs: ${args.value('limit')}`, 'Write a whole number from 1.')
  }
  const all = (id === undefined ? known : [id]).flatMap((job) => runs.list(job))
    .sort((a, b) => b.startedMs - a.startedMs).slice(0, limit)
  if (args.has('json')) {
    printJson(all.map((each) => ({ ...each, output: runs.output(each) })))
    return EXIT.ok
  }
  if (all.length === 0) print(asTyped('Nothing has run yet: hermes cron run\n'))
  for (const each of all) {
    print(`${renderCronRun(each, { zone })}\n`)
    const output = args.has('output') ? runs.output(each) : ''
    if (output !== '') print(escapeControls(output, true).trimEnd().split('\n').map((text) => `    ${text}\n`).join(''))
  }
  return EXIT.ok
}
