import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { canonicalDirectory } from '../../../2-files/src/index.js'
import { explainPolicy } from '../../../2-config/src/index.js'
import {
  type ExecutionResult, type Given, HermesError, type HermesEvent, type HermesOptions, readHosts,
} from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { execute } from '../executor/index.js'
import { beginsAsResponse } from '../../../1-reading/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { escapeControls, usageError } from '../../../0-text/src/index.js'
import { differences, unlikePlan } from './compare-plans.js'
import { FileEffects } from './file-effects.js'
import { makePlan, type PlanFrame } from './make-plan.js'
import { readPlan, writePlan } from './plan-file.js'
import type { Plan, PlanOpened, PlanReading } from './plan-schema.js'

/** Options of the run that the plan is for. */
export type PlannedOptions = HermesOptions & Given<HermesOptions, 'root' | 'rootAliases' | 'dryRun'>

export interface PlanRunRequest {
  /** The plan's file. */
  file: string
  options: PlannedOptions
  /** Options that the user gave explicitly; the others come from the plan that is carried out. */
  said: ReadonlySet<keyof PlanReading>
  /** Reads an answer to run in place of the plan's. */
  answer?: (() => Promise<string>) | undefined
  /** Version of hermes. */
  version: string
}

/** The run to make a plan of, or the run that carries one out. */
export interface PlanRun {
  /** Options of the run: with those of the plan, where one is carried out. */
  options: PlannedOptions
  /** The answer of the plan that is carried out. */
  text?: string
  /** What extensions had made of it, if they changed it. */
  prepared?: PreparedAnswer
  event(event: HermesEvent): void
  /**
   * Writes the plan; or warns in the result where the run did not go as planned.
   *
   * @param prepared what extensions made of the answer, if any did
   * @returns a line to print, if any
   */
  end(text: string, result: ExecutionResult, prepared?: PreparedAnswer): Promise<string | undefined>
}

/** Policy fields not compared: approvals lengthen the first two meanwhile, and hooks are compared by the dry run. */
const NOT_COMPARED = /^(?:trusted_hooks|command_allowlist|hooks\..*)$/

/**
 * In a dry run makes a plan; otherwise prepares to carry one out, if nothing has changed since.
 *
 * @throws HermesError `INVALID_OPTION`, `INVALID_PLAN`; `PLAN_CHANGED` with what changed: then nothing is run
 */
export async function planRun(request: PlanRunRequest): Promise<PlanRun> {
  const { file, options, version } = request
  return options.dryRun ? making(file, options, version) : carryingOut(request)
}

function making(file: string, options: PlannedOptions, version: string): PlanRun {
  if (!statSync(dirname(resolve(file)), { throwIfNoEntry: false })?.isDirectory()) {
    throw usageError(
      `No such directory for the plan: ${dirname(resolve(file))}`, 'Create it first, or write the plan elsewhere.',
    )
  }
  const effects = new FileEffects()
  return {
    options,
    event: (event) => effects.event(event),
    async end(text, result, prepared) {
      if (result.fatalError !== undefined) return 'hermes: no plan was written, since the dry run was stopped\n'
      // Otherwise empty standard input would replace a plan of interest by an empty one.
      if (result.totalBlocks === 0) return 'hermes: no plan was written, since the answer has no blocks\n'
      const plan = makePlan(text, result, effects, await frameOf(options, version), prepared)
      writePlan(file, plan)
      const commands = plan.blocks.filter(({ command }) => command !== undefined).length
      const parts =
        [plural(plan.files.length, 'path'), ...(commands > 0 ? [plural(commands, 'command')] : [])].join(', ')
      const next = `hermes apply --plan ${file} does that, or says what changed since.`
      return `${escapeControls(`Plan: ${file} (${parts}). ${next}`)}\n`
    },
  }
}

async function carryingOut({ file, options: given, said, answer, version }: PlanRunRequest): Promise<PlanRun> {
  const plan = readPlan(file)
  const text = await answer?.() ?? plan.answer.text
  const options = { ...given, ...optionsOf(plan.reading, said) }
  const changes = differences(plan, await rehearsed(text, options, version))
  if (changes.length > 0) {
    const [first, ...others] = changes
    throw new HermesError('PLAN_CHANGED', `The plan ${file} no longer holds, so nothing was run: ${first}`, {
      hint: [...others.map((change) => `also: ${change}`), 'Make the plan again and look at it: '
        + 'hermes apply ANSWER --dry-run --plan FILE.'].join('\n'),
      data: { changes },
    })
  }
  return {
    options, text,
    ...(plan.answer.rewritten && { prepared: { text, ...plan.answer.rewritten, notes: [], warnings: [] } }),
    event: () => undefined,
    async end(_, result) {
      const isKnown = !plan.blocks.some(({ command }) => command !== undefined) && plan.hooks.length === 0
      if (!isKnown || !result.success) return undefined
      const others = unlikePlan(plan)
      if (others.length > 0) {
        result.warnings = [...result.warnings ?? [], `Not as the plan shows: ${others.slice(0, 10).join(', ')}`]
      }
      return undefined
    },
  }
}

/** Makes the plan of what would happen now, by a dry run. */
async function rehearsed(text: string, options: PlannedOptions, version: string): Promise<Plan> {
  const effects = new FileEffects()
  const response = beginsAsResponse(text)
    ? (await import('../../../2-transcripts/src/index.js')).readResponse(text) : undefined
  const result = await execute(response ?? text, {
    ...options, dryRun: true, rehearse: true, checkMs: 0, approve: () => 'once',
    onEvent: (event) => effects.event(event),
  })
  if (result.fatalError !== undefined) {
    throw new HermesError('PLAN_CHANGED', `Nothing can run: ${result.fatalError}`, { hint: 'Nothing was run.' })
  }
  return makePlan(text, result, effects, await frameOf(options, version))
}

async function frameOf(options: PlannedOptions, hermes: string): Promise<PlanFrame> {
  const root = canonicalDirectory(options.root)
  const { fields } = await explainPolicy(root)
  const policy = Object.fromEntries(fields.filter(({ name, values }) => values.length > 0 && !NOT_COMPARED.test(name))
    .map(({ name, values }) => [name, values.map(({ value }) => value)]))
  return { hermes, root, policy, reading: readingOf(options), opened: openedOf(options) }
}

function readingOf(options: PlannedOptions): PlanReading {
  return {
    rootAliases: [...options.rootAliases], relativePaths: options.relativePaths ?? false,
    toolsets: options.toolsets ? [...options.toolsets] : null,
    editFormats: options.editFormats ? [...options.editFormats] : null,
    ...(options.mapping && { mapping: options.mapping }),
    match: options.match ?? null, startsInThink: options.startsInThink ?? false, atomic: options.atomic ?? false,
    gitCommit: options.gitCommit ?? true, hooks: options.hooks ?? true,
  }
}

function openedOf({ allow = [], sandbox, network = false, timeoutMs }: PlannedOptions): PlanOpened {
  return {
    allow: allow.map(canonicalDirectory).sort(), sandbox: sandbox ?? null,
    network: typeof network === 'boolean' ? network : readHosts(network).sort(), timeoutMs: timeoutMs ?? null,
  }
}

/** The plan's options for reading, except those that the user gave explicitly: these are compared with the plan's. */
function optionsOf(
  reading: PlanReading, said: ReadonlySet<keyof PlanReading>,
): Pick<HermesOptions, keyof PlanReading> & Pick<PlannedOptions, 'rootAliases'> {
  const { rootAliases, relativePaths, toolsets, editFormats, mapping, match, startsInThink, atomic } = reading
  const { gitCommit, hooks } = reading
  const unless = <T extends object>(name: keyof PlanReading, value: T): T | object => (said.has(name) ? {} : value)
  return {
    ...unless('rootAliases', { rootAliases }), ...unless('relativePaths', { relativePaths }), startsInThink,
    ...(toolsets && unless('toolsets', { toolsets })), ...(editFormats && unless('editFormats', { editFormats })),
    ...(mapping && unless('mapping', { mapping })), ...(match && unless('match', { match })),
    ...unless('atomic', { atomic }),
    ...(gitCommit ? {} : { gitCommit }), ...unless('hooks', { hooks }),
  } as Pick<HermesOptions, keyof PlanReading> & Pick<PlannedOptions, 'rootAliases'>
}
