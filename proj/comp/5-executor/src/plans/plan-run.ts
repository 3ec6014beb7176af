import { realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { explainPolicy } from '../../../2-config/src/index.js'
import {
  HermesError, orNothing, type ExecutionResult, type HermesEvent, type HermesOptions,
} from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { Hermes } from '../executor/index.js'
import { beginsAsResponse } from '../../../1-reading/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { escapeControls, usageError } from '../../../0-text/src/index.js'
import { differences, unlikePlan } from './compare-plans.js'
import { PlanMaker, type PlanFrame } from './make-plan.js'
import { readPlan, writePlan } from './plan-file.js'
import type { Plan, PlanOpened, PlanReading } from './plan-schema.js'

/** Options of the run that a plan is for. */
export type PlannedOptions = HermesOptions & Required<Pick<HermesOptions, 'root' | 'rootAliases' | 'dryRun'>>

export interface PlanRunRequest {
  /** Where the plan is, or is to be. */
  file: string
  options: PlannedOptions
  /** Those of them that somebody said; of the others a plan that is carried out has its own. */
  said: ReadonlySet<keyof PlanReading>
  /** Reads another answer than that of the plan. */
  answer?: (() => Promise<string>) | undefined
  /** Of hermes. */
  version: string
}

/** What a plan makes of a run. */
export interface PlanRun {
  /** Of the run: those of the plan, where one is carried out. */
  options: PlannedOptions
  /** The answer of the plan that is carried out. */
  text?: string
  /** What extensions had made of it, where they changed it. */
  prepared?: PreparedAnswer
  event(event: HermesEvent): void
  /**
   * Writes the plan; or adds to the warnings of the result where the run was not as planned.
   *
   * @param prepared what extensions made of the answer, where they have worked on it
   * @returns what there is to say of it
   */
  end(text: string, result: ExecutionResult, prepared?: PreparedAnswer): Promise<string | undefined>
}

/** Answers that the user gives make these longer meanwhile, and the dry run has what hooks there are. */
const NOT_COMPARED = /^(?:trusted_hooks|command_allowlist|hooks\..*)$/

/**
 * In a dry run the plan is made; else it is carried out, where nothing has changed since.
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
  const maker = new PlanMaker()
  return {
    options,
    event: (event) => maker.event(event),
    async end(text, result, prepared) {
      if (result.fatalError !== undefined) return 'hermes: no plan was written, since the dry run was stopped\n'
      // Standard input that was empty would else replace the plan that somebody wants to look at with one of nothing.
      if (result.totalBlocks === 0) return 'hermes: no plan was written, since the answer has no blocks\n'
      const plan = maker.make(text, result, await frameOf(options, version), prepared)
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
  if (changes.length > 0) throw changedSince(file, changes)
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

/** What would happen now. */
async function rehearsed(text: string, options: PlannedOptions, version: string): Promise<Plan> {
  const maker = new PlanMaker()
  const hermes = new Hermes({
    ...options, dryRun: true, rehearse: true, checkMs: 0, approve: () => 'once',
    onEvent: (event) => maker.event(event),
  })
  try {
    const response = beginsAsResponse(text)
      ? (await import('../../../2-transcripts/src/index.js')).readResponse(text) : undefined
    const result = await hermes.execute(response ?? text)
    if (result.fatalError !== undefined) {
      throw new HermesError('PLAN_CHANGED', `Nothing can run: ${result.fatalError}`, { hint: 'Nothing was run.' })
    }
    return maker.make(text, result, await frameOf(options, version))
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}

async function frameOf(options: PlannedOptions, hermes: string): Promise<PlanFrame> {
  const root = canonical(options.root)
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

function openedOf({ allow = [], sandbox, network, timeoutMs }: PlannedOptions): PlanOpened {
  return {
    allow: allow.map(canonical).sort(), sandbox: sandbox ?? null, network: network ?? false,
    timeoutMs: timeoutMs ?? null,
  }
}

/** What the plan says of reading, where nobody said otherwise: then the two are compared. */
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

function changedSince(file: string, changes: readonly string[]): HermesError {
  return new HermesError('PLAN_CHANGED', `The plan ${file} no longer holds, so nothing was run: ${changes[0]}`, {
    hint: [...changes.slice(1).map((one) => `also: ${one}`), 'Make the plan again and look at it: '
      + 'hermes apply ANSWER --dry-run --plan FILE.'].join('\n'),
    data: { changes },
  })
}

function canonical(directory: string): string {
  return orNothing(() => realpathSync.native(directory), resolve(directory))
}
