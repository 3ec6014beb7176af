import { planRun, type PlanReading, type PlanRun } from '../../../5-executor/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { readInput } from '../io/read-input.js'
import type { ApplyOptions } from './apply-options.js'

/** The flags that say how the answer is read; what is not said, the plan says. */
const SAID: readonly (readonly [flag: string, option: keyof PlanReading])[] = [
  ['root-alias', 'rootAliases'], ['relative-paths', 'relativePaths'], ['toolset', 'toolsets'],
  ['edit-format', 'editFormats'], ['dialect', 'editFormats'], ['mapping', 'mapping'], ['match', 'match'],
  ['atomic', 'atomic'], ['no-hooks', 'hooks'],
]

/** What `--plan` makes of a run. @throws HermesError as `planRun`, `INVALID_OPTION` */
export async function openPlanOf(args: Arguments, options: ApplyOptions, version: string): Promise<PlanRun> {
  const taken = options.dryRun ? undefined
    : ['extension', 'clipboard', 'starts-in-think'].find((flag) => args.has(flag))
  if (taken !== undefined) throw usageError(`--${taken} has no meaning with --plan`, 'The answer is in the plan.')
  const [answer] = args.positionals
  return planRun({
    file: args.value('plan') ?? '', options, version,
    said: new Set(SAID.filter(([flag]) => args.has(flag)).map(([, option]) => option)),
    answer: answer === undefined ? undefined : () => readInput('apply', answer),
  })
}
