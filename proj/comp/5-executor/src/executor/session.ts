import { join } from 'node:path'
import {
  DEFAULT_LIMITS, DEFAULT_POLICY, loadPolicy, recordAllowed, sudoPassword, type Hook, type LoadedPolicy,
} from '../../../2-config/src/index.js'
import {
  HermesError, type CommandSandbox, type ContextItem, type FileStore, type HermesOptions, type KeptResource,
  type PathGate, type PathPolicy, type Policy, type SessionState, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { OverlayFiles, createPathGate, isInside, noteRunRoots } from '../../../2-files/src/index.js'
import { Baselines, createRunId, requireTrusted, RunTransaction } from '../../../3-transaction/src/index.js'
import { nextStartPlaces, ownPackage } from '../../../2-packages/src/index.js'
import { distrust } from '../../../2-processes/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { createSeenContents, type SeenContents } from '../../../1-reports/src/index.js'
import { createSandbox, isElsewhere, type HookConsent, type RemotePlace } from '../../../2-sandbox/src/index.js'
import { VERBS } from '../verbs/index.js'
import { Approvals } from './session-approvals.js'
import type { ContextPrompt } from '../model-context/index.js'
import { askedOnce } from './asked-once.js'
import { closedAround, closedPlaces } from './closed-places.js'
import { RemoteNames } from './remote-names.js'
import { BoundedFiles } from './stores/bounded-files.js'
import { joinSignals } from './join-signals.js'
import { notingUse } from './touches/noting-use.js'
import { tellingTouches } from './touches/telling-touches.js'
import type { ReplyParts } from './run-result.js'
import { SessionExtensions, type PrepareOptions } from './session-extensions.js'
import { remoteFiles, remoteGate, SessionPlace } from './place/session-place.js'
import { keepReading, readSettings, type ExecutorOptions, type RunOptions, type Settings } from './settings.js'

/** What one run has to work with. */
export interface Begun {
  context: VerbContext
  /** None in a dry run. */
  transaction: RunTransaction | undefined
  remote: RemoteNames
  /** As of `RunParts`; told with this run's `lateWarnings`, or those of the next. */
  late: (line: string) => void
  onOutput: HermesOptions['onOutput']
  /** Commands around the run. */
  hooks: readonly Hook[]
  /** Why no verb can run. */
  problem: HermesError | undefined
  warnings: readonly string[]
  /** What else the user should know when the run has ended. */
  lateWarnings: () => readonly string[]
  /** To be called when the run has ended: the signals that last longer forget it. */
  release: () => void
}

/** Where the policy cannot be read nothing runs, and this is not used. */
const NOTHING_SAID: LoadedPolicy = {
  policy: DEFAULT_POLICY, limits: DEFAULT_LIMITS, reading: { formats: [] }, paths: undefined, hooks: [],
  verbExtensions: [], verbModules: [],
  warnings: [],
}

interface OpenFiles {
  files: FileStore
  overlay: OverlayFiles | undefined
  transaction: RunTransaction | undefined
}

/** What `Hermes` and `VerbExecutor` keep between their calls, and what they hand to the verbs of one. */
export class Session {
  readonly registry: VerbRegistry
  readonly settings: Settings
  /** What runs at the moment. */
  readonly running = new Set<Promise<unknown>>()
  readonly #options: ExecutorOptions
  readonly #state: SessionState & { readonly kept: Map<string, KeptResource> }
  /** What each task works with, by its id. */
  readonly #contexts = new Map<string, Map<string, ContextItem>>()
  /** What the replies of each task have shown to its model. */
  readonly #seen = new Map<string, SeenContents>()
  readonly #gate: ReturnType<typeof createPathGate>
  /** Where commands run, by the task they are for. */
  readonly #sandboxes = new Map<string, CommandSandbox>()
  readonly #approvals: Approvals
  readonly #baselines = new Baselines()
  /** Read once: what a command of an earlier run did to the files counts for later sessions only. */
  #loading: Promise<LoadedPolicy> | undefined
  #remote: RemoteNames | undefined
  readonly #extensions: SessionExtensions
  readonly #place: SessionPlace
  /** What handlers did after they were given up, until a run tells it. */
  readonly #late: string[] = []
  #uses = 0
  /** Ends what still runs when the session is disposed of. */
  readonly #disposed = new AbortController()

  /** @throws HermesError `INVALID_OPTION` */
  constructor(options: ExecutorOptions) {
    this.#options = options
    this.settings = readSettings(options)
    const registry = options.registry ?? new VerbRegistry(VERBS)
    this.registry = options.verbVersions ? registry.at(options.verbVersions) : registry
    const gate = this.#makeGate()
    this.#gate = gate
    this.settings.rules.root = gate.root
    const { within } = this.settings
    this.settings.isNarrowed = within !== undefined
      && [gate.root, ...gate.allow].some((place) => !within.some((directory) => isInside(directory, place)))
    this.#state = { root: gate.root, context: new Map(), kept: new Map() }
    this.#place = new SessionPlace(this.settings)
    this.#approvals = new Approvals(options.approve, options.policy)
    this.#extensions = new SessionExtensions(gate.root, options, this.settings, this.#disposed.signal)
  }

  /** What the policy files and the options say; the defaults where they cannot be read, and then nothing runs. */
  async policy(): Promise<Policy> {
    const loaded = await this.#policy()
    return loaded instanceof HermesError ? NOTHING_SAID.policy : loaded.policy
  }

  /**
   * What the verbs of one run may use.
   *
   * @param own what the run has of its own
   * @param gateAtOnce otherwise the gate is made when a path first comes, and what is against the root is told then
   */
  async begin(own: RunOptions = {}, gateAtOnce = true): Promise<Begun> {
    const loaded = await this.#policy()
    const { policy, limits, paths, warnings, hooks: aroundRuns } = loaded instanceof HermesError ? NOTHING_SAID : loaded
    const runId = own.runId ?? createRunId()
    const { signal, release } = joinSignals([this.#options.signal, own.signal, this.#disposed.signal])
    const place = await this.#placeOf(policy)
    const there = place instanceof HermesError ? undefined : place
    const sandbox = this.#sandboxFor(loaded instanceof HermesError ? NOTHING_SAID : loaded, there, own.taskId)
    const ask = own.approve ?? this.#options.approve
    const answering: HermesOptions['approve'] = ask
      && ((one) => (transaction ? transaction.whileAsked(async () => ask(one)) : ask(one)))
    const approve: VerbContext['approve'] = (request) => this.#approvals.request(request, answering)
    const hooks = { sandbox, approve: askedOnce(approve), network: policy.verbs.network.value === 'on' }
    const { files, overlay, transaction } = there
      ? { files: remoteFiles(there, this.settings), overlay: undefined, transaction: undefined }
      : this.#openFiles(runId, signal, hooks, paths)
    const fresh = there ? remoteGate(there, this.settings.rules.rootAliases, paths)
      : gateAtOnce ? this.#freshGate(overlay, paths) : this.#gateOnUse(overlay, paths)
    const problem = [loaded, place, fresh].find((one) => one instanceof HermesError)
    const state = this.#stateOf(own.taskId, there)
    const context: VerbContext = {
      gate: tellingTouches(
        notingUse(fresh instanceof HermesError ? this.#gate : fresh, state, () => ++this.#uses),
        there ? undefined : this.settings.onTouch,
      ),
      files: new BoundedFiles(files, limits.maxWrittenBytes),
      session: state,
      ...(own.taskId !== undefined && { taskId: own.taskId }),
      limits,
      policy,
      sandbox,
      ...(there && { elsewhere: { host: there.host, commandEnded: () => there.forgetFiles() } }),
      runId,
      dryRun: this.settings.dryRun,
      ...(this.settings.match && { match: this.settings.match }),
      ui: own.ui ?? this.#options.ui,
      ...(this.#options.scheduler && { scheduler: this.#options.scheduler }),
      approve,
      progress: own.onProgress ?? this.#options.onProgress,
      wider: {
        has: (entry) => this.#approvals.hasOpened(entry),
        ask: (request, entryOf) => this.#approvals.open(request, entryOf, answering),
      },
      ...(transaction && { noteProcess: (pid: number) => transaction.noteProcess(pid) }),
      signal,
    }
    this.#remote ??= new RemoteNames(policy.mcpServers ?? [], this.#state.root)
    return {
      context, transaction, remote: this.#remote, hooks: this.settings.hooks ? aroundRuns : [], problem, warnings,
      late: (line) => this.#late.push(line), onOutput: own.onOutput ?? this.#options.onOutput,
      lateWarnings: () => [...this.#approvals.takeWarnings(), ...this.#late.splice(0)], release,
    }
  }

  /**
   * What a path passes that a shell reads or writes itself, for its client.
   *
   * @param further directories besides those of the session
   * @throws HermesError `INVALID_POLICY`, `POLICY_DENIED` where nothing runs; `INVALID_OPTION`
   */
  async gate(further: readonly string[]): Promise<PathGate> {
    const loaded = await this.#policy()
    if (loaded instanceof HermesError) throw loaded
    return this.#makeGate(undefined, loaded.paths, further)
  }

  /** Where a run may keep what no model was shown whole; nowhere in a dry run, nor where verbs could not read it. */
  keptBy(runId: string | undefined): { root: string; runId: string } | undefined {
    const { dryRun, isNarrowed, rules } = this.settings
    const isKept = runId !== undefined && !dryRun && !isNarrowed && rules.root === this.#state.root
    return isKept ? { root: this.#state.root, runId } : undefined
  }

  /** Kills what still runs, and waits until it is gone. */
  async dispose(): Promise<void> {
    this.#disposed.abort()
    await Promise.allSettled(this.running)
    await Promise.allSettled([...this.#state.kept.values()].map((one) => one[Symbol.asyncDispose]()))
    await Promise.allSettled([...this.#sandboxes.values()].map((one) => one.end()))
    await this.#extensions.end()
    await this.#remote?.close()
    await this.#place.end()
  }

  /**
   * An answer as the extensions of this session leave it.
   *
   * @throws HermesError where one is not there or fails: then nothing is to run
   */
  async prepare(text: string, options: PrepareOptions = {}): Promise<PreparedAnswer> {
    // What files say of reading is known afterwards; where they let nothing run, no extension is started for it.
    const loaded = await this.#policy()
    const { extensions = this.settings.extensions } = options
    if (loaded instanceof HermesError && extensions.length > 0) throw loaded
    return this.#extensions.prepare(text, options)
  }

  /** The working context of a task, as a prompt shows it. */
  async contextPrompt(taskId: string | undefined, maxTokens: number | undefined): Promise<ContextPrompt> {
    if (this.#stateOf(taskId).context.size === 0) return { text: '', tokens: 0, items: [] }
    const { contextPrompt } = await import('../model-context/index.js')
    const { context, release } = await this.begin(taskId === undefined ? {} : { taskId })
    try {
      return await contextPrompt(context, { maxTokens, mask: (text) => this.settings.masker.value(text) })
    } finally {
      release()
    }
  }

  /** What a model is told of where it works, before it begins. @throws HermesError `UNREACHABLE` */
  async surroundings(skills?: readonly { name: string; description: string }[]): Promise<string> {
    const { surroundings } = await import('../model-context/index.js')
    const { context, problem, release } = await this.begin({})
    try {
      if (problem && isElsewhere(context.policy.terminal)) throw problem
      return await surroundings(context, (text) => this.settings.masker.value(text), skills)
    } finally {
      release()
    }
  }

  /** Where paths start, and on which machine. @throws HermesError as `surroundings` */
  async workPlace(): Promise<{ root: string; host?: string }> {
    if (!isElsewhere((await this.policy()).terminal)) return { root: this.#state.root }
    const { context, problem, release } = await this.begin({})
    release()
    if (problem) throw problem
    const { session: { root }, elsewhere } = context
    return { root, ...(elsewhere && { host: elsewhere.host }) }
  }

  /** What the reply to one answer is made with. @param text of the answer, as far as it is one */
  replyParts(text: string | undefined, runId: string | undefined, taskId = ''): ReplyParts {
    return {
      keptBy: this.keptBy(runId),
      text,
      tokens: this.settings.replyTokens,
      mask: (given) => this.settings.masker.value(given),
      seen: () => {
        const seen = this.#seen.get(taskId) ?? createSeenContents()
        this.#seen.set(taskId, seen)
        return seen
      },
    }
  }

  /** Ends the shells and programs of one task, and forgets its context. */
  async endTask(taskId: string): Promise<void> {
    this.#contexts.delete(taskId)
    this.#seen.delete(taskId)
    await Promise.all([...this.#state.kept.values()].map((one) => one.endTask?.(taskId)))
    const sandbox = this.#sandboxes.get(taskId)
    this.#sandboxes.delete(taskId)
    await sandbox?.end()
  }

  /** @param paths absolute */
  forgetFiles(paths: readonly string[]): void {
    for (const path of paths) this.#baselines.forget(path)
  }

  #stateOf(taskId: string | undefined, place?: RemotePlace): SessionState {
    const { root } = place ?? this.#state
    if (taskId === undefined) return { ...this.#state, root }
    const context = this.#contexts.get(taskId) ?? new Map<string, ContextItem>()
    this.#contexts.set(taskId, context)
    return { ...this.#state, root, context }
  }

  /** `undefined`: on this machine. */
  async #placeOf({ terminal }: Policy): Promise<RemotePlace | HermesError | undefined> {
    try {
      return await this.#place.open(terminal)
    } catch (error) {
      if (error instanceof HermesError) return error
      throw error
    }
  }

  async #policy(): Promise<LoadedPolicy | HermesError> {
    const { policy, wishes, within } = this.settings
    this.#loading ??= loadPolicy({
      root: this.#state.root, allow: this.#gate.allow, policy, wishes, within,
    }).then(async (loaded) => {
      keepReading(this.settings, this.#options, loaded.reading)
      if (!this.settings.takesOwnVerb) return loaded
      const warnings = await this.#extensions.addVerbs(this.registry, loaded, this.settings.takesOwnVerb)
      return { ...loaded, warnings: [...loaded.warnings, ...warnings] }
    })
    try {
      return await this.#loading
    } catch (error) {
      if (error instanceof HermesError) return error
      throw error
    }
  }

  /** One for all runs of a task: what a command left running, and what it has found out, is there for the next one. */
  #sandboxFor({ policy, limits }: LoadedPolicy, place: RemotePlace | undefined, taskId = ''): CommandSandbox {
    const known = this.#sandboxes.get(taskId)
    if (known) return known
    const { allow } = this.#gate
    const { root } = place ?? this.#gate
    const readOnly = closedPlaces([this.#gate.root, ...allow], this.#options.policy).map(({ path }) => path)
    const sandbox = createSandbox({
      mode: policy.sandbox.value, root, allow, readOnly, passes: policy.passesEnv, terminal: policy.terminal,
      resources: { processes: limits.maxProcesses, memoryBytes: limits.maxMemoryBytes },
      // Who wants no settings of the user's wants no password either.
      ...(this.#options.policy !== false && { sudoPassword }),
      ...(!this.settings.dryRun && { task: { network: policy.verbs.network.value === 'on' } }),
    })
    // Where the other machine is not reached, nothing runs in this one.
    if (place || !isElsewhere(policy.terminal)) this.#sandboxes.set(taskId, sandbox)
    return sandbox
  }

  #openFiles(
    runId: string, signal: AbortSignal, hooks: HookConsent, policy: PathPolicy | undefined,
  ): OpenFiles {
    const { dryRun, gitCommit, atomic, durable, waitMs, changeTexts } = this.settings
    if (dryRun) {
      const overlay = new OverlayFiles()
      return { files: overlay, overlay, transaction: undefined }
    }
    const transaction = new RunTransaction({
      root: this.#state.root, runId, baselines: this.#baselines, git: gitCommit !== false,
      requireGit: gitCommit === true, atomic: atomic !== false, durable, waitMs, signal, hooks, policy,
      unit: this.#options.unit?.(), onWait: this.#options.onWait,
      keepsTexts: changeTexts,
      nextStart: nextStartPlaces([this.#gate.root, ...this.#gate.allow], ownPackage()),
    })
    return { files: transaction.files, overlay: undefined, transaction }
  }

  #makeGate(overlay?: OverlayFiles, policy?: PathPolicy, further: readonly string[] = []) {
    const { root, allow, rules } = this.settings
    const options = {
      root, allow: [...allow, ...further], aliases: rules.rootAliases, ...(overlay && { probe: overlay.probe }), policy,
    }
    const gate = createPathGate(options)
    const directories = [gate.root, ...gate.allow]
    noteRunRoots(directories)
    distrust(directories)
    if (!this.settings.dryRun) recordAllowed(gate.allow)
    directories.forEach(requireTrusted)
    return createPathGate({ ...options, closed: closedPlaces(directories, this.#options.policy), closedAround })
  }

  #gateOnUse(overlay: OverlayFiles | undefined, policy: PathPolicy | undefined): PathGate {
    let gate: PathGate | undefined
    return {
      approve: (path, access) => {
        gate ??= this.#makeGate(overlay, policy)
        return gate.approve(path, access)
      },
      approveEntry: (directory, name, access) => {
        gate ??= this.#makeGate(overlay, policy)
        return gate.approveEntry?.(directory, name, access) ?? gate.approve(join(directory, name), access)
      },
    }
  }

  /** Made anew for each run: a command of an earlier one may have removed what the session works in. */
  #freshGate(overlay: OverlayFiles | undefined, policy: PathPolicy | undefined): PathGate | HermesError {
    try {
      return this.#makeGate(overlay, policy)
    } catch (error) {
      if (error instanceof HermesError) return error
      throw error
    }
  }
}
