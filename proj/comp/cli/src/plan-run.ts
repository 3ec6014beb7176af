import { realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { explainPolicy } from '../../config/src/index.js'
import {
  HermesError, orNothing, type ExecutionResult, type HermesEvent, type HermesOptions,
} from '../../contracts/src/index.js'
import { Hermes } from '../../executor/src/index.js'
import {
  differences, PlanMaker, readPlan, unlikePlan, writePlan, type Plan, type PlanFrame, type PlanOpened, type PlanReading,
} from '../../plans/src/index.js'
import { plural } from '../../reports/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import type { ApplyOptions } from './apply-options.js'
import { usageError, type Arguments } from './arguments.js'
import { readInput } from './read-input.js'

/** What `--plan` makes of a run. */
export interface PlanRun {
  /** Of the run: those of the plan, where one is carried out. */
  options: ApplyOptions
  /** The answer of the plan that is carried out. */
  text?: string
  event(event: HermesEvent): void
  /**
   * Writes the plan; or adds to the warnings of the result where the run was not as planned.
   *
   * @returns what there is to say of it
   */
  end(text: string, result: ExecutionResult): Promise<string | undefined>
}

/** Answers that the user gives make these longer meanwhile, and the dry run has what hooks there are. */
const NOT_COMPARED = /^(?:trusted_hooks|command_allowlist|hooks\..*)$/

/**
 * With `--dry-run` the plan is made; without it it is carried out, where nothing has changed since.
 *
 * @param version of hermes
 * @throws HermesError `INVALID_OPTION`, `INVALID_PLAN`; `PLAN_CHANGED` with what changed: then nothing is run
 */
export async function planRun(args: Arguments, options: ApplyOptions, version: string): Promise<PlanRun> {
  const file = args.value('plan') ?? ''
  return options.dryRun ? making(file, options, version) : carryingOut(args, file, options, version)
}

function making(file: string, options: ApplyOptions, version: string): PlanRun {
  if (!statSync(dirname(resolve(file)), { throwIfNoEntry: false })?.isDirectory()) {
    throw usageError(
      `No such directory for the plan: ${dirname(resolve(file))}`, 'Create it first, or write the plan elsewhere.',
    )
  }
  const maker = new PlanMaker()
  return {
    options,
    event: (event) => maker.event(event),
    async end(text, result) {
      if (result.fatalError !== undefined) return 'hermes: no plan was written, since the dry run was stopped\n'
      // Standard input that was empty would else replace the plan that somebody wants to look at with one of nothing.
      if (result.totalBlocks === 0) return 'hermes: no plan was written, since the answer has no blocks\n'
      const plan = maker.make(text, result, await frameOf(options, version))
      writePlan(file, plan)
      const commands = plan.blocks.filter(({ command }) => command !== undefined).length
      const parts =
        [plural(plan.files.length, 'path'), ...(commands > 0 ? [plural(commands, 'command')] : [])].join(', ')
      const next = `hermes apply --plan ${file} does that, or says what changed since.`
      return `${escapeControls(`Plan: ${file} (${parts}). ${next}`)}\n`
    },
  }
}

async function carryingOut(args: Arguments, file: string, given: ApplyOptions, version: string): Promise<PlanRun> {
  const taken = ['extension', 'clipboard', 'starts-in-think'].find((flag) => args.has(flag))
  if (taken !== undefined) throw usageError(`--${taken} has no meaning with --plan`, 'The answer is in the plan.')
  const plan = readPlan(file)
  const [answer] = args.positionals
  const text = answer === undefined ? plan.answer.text : await readInput('apply', answer)
  const options = { ...given, ...optionsOf(plan.reading, args) }
  const changes = differences(plan, await rehearsed(text, options, version))
  if (changes.length > 0) throw changedSince(file, changes)
  return {
    options, text,
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
async function rehearsed(text: string, options: ApplyOptions, version: string): Promise<Plan> {
  const maker = new PlanMaker()
  const hermes = new Hermes({
    ...options, dryRun: true, rehearse: true, approve: () => 'once', onEvent: (event) => maker.event(event),
  })
  try {
    const result = await hermes.execute(text)
    if (result.fatalError !== undefined) {
      throw new HermesError('PLAN_CHANGED', `Nothing can run: ${result.fatalError}`, { hint: 'Nothing was run.' })
    }
    return maker.make(text, result, await frameOf(options, version))
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}

async function frameOf(options: ApplyOptions, hermes: string): Promise<PlanFrame> {
  const root = canonical(options.root)
  const { fields } = await explainPolicy(root)
  const policy = Object.fromEntries(fields.filter(({ name, values }) => values.length > 0 && !NOT_COMPARED.test(name))
    .map(({ name, values }) => [name, values.map(({ value }) => value)]))
  return { hermes, root, policy, reading: readingOf(options), opened: openedOf(options) }
}

function readingOf(options: ApplyOptions): PlanReading {
  return {
    rootAliases: [...options.rootAliases], relativePaths: options.relativePaths ?? false,
    toolsets: options.toolsets ? [...options.toolsets] : null,
    editFormats: options.editFormats ? [...options.editFormats] : null,
    match: options.match ?? null, startsInThink: options.startsInThink ?? false, atomic: options.atomic ?? false,
    gitCommit: options.gitCommit ?? true, hooks: options.hooks ?? true,
  }
}

function openedOf({ allow = [], sandbox, network, timeoutMs }: ApplyOptions): PlanOpened {
  return {
    allow: allow.map(canonical).sort(), sandbox: sandbox ?? null, network: network ?? false,
    timeoutMs: timeoutMs ?? null,
  }
}

/** What the plan says of reading, where no flag says otherwise: then the two are compared. */
function optionsOf(
  reading: PlanReading, args: Arguments,
): Pick<HermesOptions, keyof PlanReading> & Pick<ApplyOptions, 'rootAliases'> {
  const { rootAliases, relativePaths, toolsets, editFormats, match, startsInThink, atomic, gitCommit, hooks } = reading
  const unless = <T extends object>(flag: string, value: T): T | object => (args.has(flag) ? {} : value)
  return {
    ...unless('root-alias', { rootAliases }), ...unless('relative-paths', { relativePaths }), startsInThink,
    ...(toolsets && unless('toolset', { toolsets })), ...(editFormats && unless('edit-format', { editFormats })),
    ...(match && unless('match', { match })), ...unless('atomic', { atomic }),
    ...(gitCommit ? {} : { gitCommit }), ...unless('no-hooks', { hooks }),
  } as Pick<HermesOptions, keyof PlanReading> & Pick<ApplyOptions, 'rootAliases'>
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
