import { createPalette, plural } from '../../../reports/src/index.js'
import { escapeControls, shellWord } from '../../../text/src/index.js'
import { listRuns, rootAbove, type ListedRun } from '../../../transaction/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { print, printJson, wantsColour } from '../output.js'
import { transactionOptions } from '../transaction-options.js'

const MOST_FILES = 8

/** `hermes log`: the runs of a root, newest first. */
export async function log(args: Arguments): Promise<number> {
  const { root } = transactionOptions(args)
  const runs = await listRuns(root, mostRuns(args))
  if (args.has('json')) printJson(runs)
  else print(runs.length === 0 ? noRuns(root) : runs.map(renderRun).join('\n'))
  return EXIT.ok
}

function noRuns(root: string): string {
  const above = rootAbove(root)
  const hint = above === undefined ? ''
    : ` There are some for ${escapeControls(above)}: hermes log --root ${escapeControls(shellWord(above))}`
  return `No runs are on record for this root.${hint}\n`
}

function mostRuns(args: Arguments): number {
  const value = args.value('limit') ?? '20'
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value)
  throw usageError(`Invalid number of runs: ${value}`, '--limit is a whole number from 1 up.')
}

function renderRun(run: ListedRun): string {
  const { bad, faint, note, strong } = createPalette(wantsColour())
  const state = {
    'applied': '', 'undone': note('undone'), 'partly undone': bad('partly undone'),
    'partial': bad('not everything was put back'),
    'restored': note('restored'), 'running': note('at work'), 'open': bad('interrupted: hermes recover'),
    'damaged': bad('damaged journal'),
  }[run.state]
  // How many blocks an interrupted run had, nobody knows.
  const blocks = run.endedAt === undefined || run.blocks === 0 ? 'run' : plural(run.blocks, 'block')
  const kind = run.kind === 'run' ? blocks : `${run.kind} of ${run.of ?? 'a run'}`
  const failures = run.failures === 0 ? '' : bad(`, ${run.failures} failed`)
  const commit = run.commit === undefined ? '' : faint(`  commit ${run.commit.slice(0, 12)}`)
  const files = run.files.slice(0, MOST_FILES).map((path) => `    ${escapeControls(path)}`)
  if (run.files.length > MOST_FILES) files.push(faint(`    and ${plural(run.files.length - MOST_FILES, 'path')} more`))
  if (run.unknownFiles) files.push(faint('    and what its commands changed, which is not known'))
  return [
    `${strong(run.runId)}  ${timeOf(run)}  ${kind}${failures}${state === '' ? '' : `  ${state}`}${commit}`,
    ...(run.summary === '' ? [] : [`  ${escapeControls(run.summary)}`]),
    ...files,
    '',
  ].join('\n')
}

/** Local time, to the second. */
function timeOf({ startedAt }: ListedRun): string {
  if (startedAt === undefined) return ''
  const date = new Date(startedAt)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}
