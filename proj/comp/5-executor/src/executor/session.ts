import { resolve } from 'node:path'
import { valueAt } from '../../../0-text/src/index.js'
import { loadPolicy, recordAllowed, sudoPassword, type LoadedPolicy } from '../../../2-config/src/index.js'
import {
  HermesError, type CommandSandbox, type ContextItem, type HermesOptions, type KeptResource,
  type PathGate, type PathPolicy, type Policy, type SessionState, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { OverlayFiles, createPathGate, isInside, noteRunRoots } from '../../../2-files/src/index.js'
import {
  Baselines, createRunId, requireTrusted, RunTransaction, type UndoOutcome,
} from '../../../3-transaction/src/index.js'
import { nextStartPlaces, ownPackage } from '../../../2-packages/src/index.js'
import { distrust } from '../../../2-processes/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { createSeenContents, type SeenContents } from '../../../1-reports/src/index.js'
import { createSandbox, isElsewhere, type HookConsent, type RemotePlace } from '../../../2-sandbox/src/index.js'
import { VERBS } from '../verbs/index.js'
import { Approvals } from './session-approvals.js'
import { unheldHosts } from './needs/unheld-hosts.js'
import type { ContextPrompt } from '../model-context/index.js'
import { askedOnce } from './asked-once.js'
import { NOTHING_SAID, type Begun } from './begun.js'
import { guarded } from './handlers/callbacks.js'
import { closedAround, closedPlaces } from './closed-places.js'
import { orError } from './failures.js'
import { RemoteNames, withServers } from './remote-names.js'
import { BoundedFiles } from './stores/bounded-files.js'
import { gateOnUse } from './place/gate-on-use.js'
import { joinSignals } from './async/join-signals.js'
import { notingUse } from './touches/noting-use.js'
import { tellingTouches } from './touches/telling-touches.js'
import type { ReplyParts } from './run-result.js'
import { SessionExtensions, type PrepareOptions } from './session-extensions.js'
import { inCopy } from './place/in-copy.js'
import { SessionPlace } from './place/session-place.js'
import { takeBack, type Reversing, type TakeBackOptions } from './place/take-back-run.js'
import {
  keepReading, readSettings, withoutUndefined, type ExecutorOptions, type RunOptions, type Settings,
} from './settings.js'

/** State that `Hermes` and `VerbExecutor` keep between calls, and from which each run's context is made. */
export class Session {
  readonly registry: VerbRegistry
  readonly settings: Settings
  /** Promises of everything that is running. */
  readonly running = new Set<Promise<unknown>>()
  readonly #state: SessionState & { readonly kept: Map<string, KeptResource> }
  /** Working context of each task, by task id. */
  readonly #contexts = new Map<string, Map<string, ContextItem>>()
  /** Contents that replies have shown to the model, by task id. */
  readonly #seen = new Map<string, SeenContents>()
  readonly #gate: ReturnType<typeof createPathGate>
  /** Sandbox of each task, by task id. */
  readonly #sandboxes = new Map<string, CommandSandbox>()
  readonly #approvals: Approvals
  readonly #baselines = new Baselines()
  /** Read once: changes that a command makes to the files count for later sessions only. */
  #loading: Promise<LoadedPolicy> | undefined
  #remote: RemoteNames | undefined
  readonly #extensions: SessionExtensions
  readonly #place: SessionPlace
  /** What abandoned handlers did, until a run reports it. */
  readonly #late: string[] = []
  #uses = 0
  /** Aborted on dispose: kills the session's running processes. */
  readonly #disposed = new AbortController()

  /** @throws HermesError `INVALID_OPTION` */
  constructor(private readonly options: ExecutorOptions) {
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

  /** The policy that files and options make; the defaults where the files cannot be read (then nothing runs). */
  async policy(): Promise<Policy> {
    const loaded = await this.#policy()
    return loaded instanceof HermesError ? NOTHING_SAID.policy : loaded.policy
  }

  /**
   * Makes the context of one run.
   *
   * @param own options of the run
   * @param gateAtOnce make the path gate now; otherwise it is made for the first path, and problems of the root show
   * then
   */
  async begin(own: RunOptions = {}, gateAtOnce = true): Promise<Begun> {
    const loaded = await this.#policy()
    const said = loaded instanceof HermesError ? NOTHING_SAID : loaded
    const { policy, limits, paths, warnings, hooks: aroundRuns } = said
    const runId = own.runId ?? createRunId()
    const { signal, release } = joinSignals([this.options.signal, own.signal, this.#disposed.signal])
    const place = await orError(() => this.#place.open(policy.terminal))
    const there = place instanceof HermesError ? undefined : place
    const sandbox = this.#sandboxFor(said, there, own.taskId)
    const { approve: ask, ui, onProgress, onOutput, failures: thrown } = guarded({
      ...this.options, ...withoutUndefined(own),
    })
    const answering: HermesOptions['approve'] = ask
      && ((request) => (transaction ? transaction.whileAsked(async () => ask(request)) : ask(request)))
    const approve: VerbContext['approve'] = (request) => this.#approvals.request(request, answering)
    const hooks = { sandbox, approve: askedOnce(approve), network: policy.verbs.network.value === 'on' }
    const { changeTexts, rules: { rootAliases: aliases } } = this.settings
    // What is changed on another host is reported, but no journal keeps it; the rules on paths hold there as well.
    const { files, overlay, transaction } = there
      ? { files: there.files({ keepsTexts: changeTexts }), overlay: undefined, transaction: undefined }
      : this.#openFiles(runId, signal, hooks, paths)
    const fresh = there
      ? createPathGate({ root: there.root, probe: there.probe, isElsewhere: true, aliases, policy: paths })
      // A new one each time: a command of an earlier run may have removed the root.
      : gateAtOnce ? await orError(() => this.#makeGate(overlay, paths))
        : gateOnUse(() => this.#makeGate(overlay, paths))
    const unheld = await unheldHosts(policy, sandbox)
    const problem = [loaded, place, fresh, unheld].find((value) => value instanceof HermesError)
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
      ui,
      ...(this.options.scheduler && { scheduler: this.options.scheduler }),
      ...(this.options.delegates && { delegates: this.options.delegates }),
      approve,
      progress: onProgress,
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
      late: (line) => this.#late.push(line), onOutput, thrown,
      lateWarnings: () => [...this.#approvals.takeWarnings(), ...this.#late.splice(0)], release,
    }
  }

  /** As `takeBack` of `take-back-run.ts`; restored files are no reason to refuse a later write. */
  async takeBack({ signal: own, ...reversing }: Omit<Reversing, 'signal'> & TakeBackOptions): Promise<UndoOutcome> {
    const { signal, release } = joinSignals([this.options.signal, own, this.#disposed.signal])
    try {
      const { root } = this.#state
      const outcome = await takeBack({ ...this.options, root }, { ...reversing, signal })
      const paths = [...outcome.restored, ...outcome.merged.map(({ path }) => path)]
      this.forgetFiles(paths.map((path) => resolve(root, path)))
      return outcome
    } finally {
      release()
    }
  }

  /**
   * The path gate for files that a front end reads or writes itself on behalf of its client.
   *
   * @param further directories besides those of the session
   * @throws HermesError `INVALID_POLICY`, `POLICY_DENIED` where nothing runs; `INVALID_OPTION`
   */
  async gate(further: readonly string[]): Promise<PathGate> {
    const loaded = await this.#policy()
    if (loaded instanceof HermesError) throw loaded
    return this.#makeGate(undefined, loaded.paths, further)
  }

  /** Where a run may keep data that replies cut; `undefined` in a dry run, and where verbs could not read it. */
  keptBy(runId: string | undefined): { root: string; runId: string } | undefined {
    const { dryRun, isNarrowed, rules } = this.settings
    const isKept = runId !== undefined && !dryRun && !isNarrowed && rules.root === this.#state.root
    return isKept ? { root: this.#state.root, runId } : undefined
  }

  /** Kills the session's running processes, and waits until they have ended. */
  async dispose(): Promise<void> {
    this.#disposed.abort()
    await Promise.allSettled(this.running)
    await Promise.allSettled([...this.#state.kept.values()].map((resource) => resource[Symbol.asyncDispose]()))
    await Promise.allSettled([...this.#sandboxes.values()].map((sandbox) => sandbox.end()))
    await this.#extensions.end()
    await this.#remote?.close()
    await this.#place.end()
  }

  /**
   * Applies the session's extensions to an answer.
   *
   * @throws HermesError where an extension is missing or fails: then nothing must run
   */
  async prepare(text: string, options: PrepareOptions = {}): Promise<PreparedAnswer> {
    // Settings for reading are known once the policy is loaded; where it lets nothing run, no extension is started.
    const loaded = await this.#policy()
    const { extensions = this.settings.extensions } = options
    if (loaded instanceof HermesError && extensions.length > 0) throw loaded
    return this.#extensions.prepare(text, options)
  }

  /** The working context of a task as a prompt section. */
  async contextPrompt(taskId: string | undefined, maxTokens: number | undefined): Promise<ContextPrompt> {
    if (this.#stateOf(taskId).context.size === 0) return { text: '', tokens: 0, items: [] }
    const { contextPrompt } = await import('../model-context/index.js')
    return this.during({ taskId }, ({ context }) => (
      contextPrompt(context, { maxTokens, mask: (text) => this.settings.masker.value(text) })
    ))
  }

  /** The description of where a model works, for its first prompt. @throws HermesError `UNREACHABLE` */
  async surroundings(skills?: readonly { name: string; description: string }[]): Promise<string> {
    const { surroundings } = await import('../model-context/index.js')
    return this.during({}, ({ context, problem }) => {
      if (problem && isElsewhere(context.policy.terminal)) throw problem
      return surroundings(context, (text) => this.settings.masker.value(text), skills)
    })
  }

  /** Does something in the context of a run of its own. @param gateAtOnce as of `begin` */
  async during<T>(own: RunOptions, work: (begun: Begun) => Promise<T>, gateAtOnce = true): Promise<T> {
    const begun = await this.begin(own, gateAtOnce)
    try {
      return await work(begun)
    } finally {
      begun.release()
    }
  }

  /** The directory that paths start from, and its host. @throws HermesError as `surroundings` */
  async workPlace(): Promise<{ root: string; host?: string }> {
    if (!isElsewhere((await this.policy()).terminal)) return { root: this.#state.root }
    return this.during({}, async ({ context: { session: { root }, elsewhere }, problem }) => {
      if (problem) throw problem
      return { root, ...(elsewhere && { host: elsewhere.host }) }
    })
  }

  /** Settings and state for the reply to one answer. @param text of the answer, if it is a single text */
  replyParts(text: string | undefined, runId: string | undefined, taskId = ''): ReplyParts {
    return {
      keptBy: this.keptBy(runId),
      text,
      tokens: this.settings.replyTokens,
      mask: (given) => this.settings.masker.value(given),
      seen: () => valueAt(this.#seen, taskId, createSeenContents),
    }
  }

  /** Ends the shells and programs of one task, and forgets its context. */
  async endTask(taskId: string): Promise<void> {
    this.#contexts.delete(taskId)
    this.#seen.delete(taskId)
    await Promise.all([...this.#state.kept.values()].map((resource) => resource.endTask?.(taskId)))
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
    return { ...this.#state, root, context: valueAt(this.#contexts, taskId, () => new Map<string, ContextItem>()) }
  }

  async #policy(): Promise<LoadedPolicy | HermesError> {
    const { policy, wishes, within, copyOf } = this.settings
    const loading = this.#loading ??= loadPolicy({
      root: copyOf ?? this.#state.root, allow: this.#gate.allow, policy, wishes, within,
    }).then(async (read) => {
      const loaded = copyOf === undefined ? read : inCopy(read, this.#state.root, copyOf)
      keepReading(this.settings, this.options, loaded.reading)
      const { mcpServers: further } = this.options
      const known = further ? { ...loaded, policy: withServers(loaded.policy, further) } : loaded
      if (!this.settings.takesOwnVerb) return known
      const warnings = await this.#extensions.addVerbs(this.registry, known, this.settings.takesOwnVerb)
      return { ...known, warnings: [...known.warnings, ...warnings] }
    })
    return orError(() => loading)
  }

  /**
   * The sandbox of a task, shared by all its runs: what a command left running, and what the sandbox has found out, is
   * there for the next one.
   */
  #sandboxFor({ policy, limits }: LoadedPolicy, place: RemotePlace | undefined, taskId = ''): CommandSandbox {
    const known = this.#sandboxes.get(taskId)
    if (known) return known
    const { allow } = this.#gate
    const { root } = place ?? this.#gate
    const readOnly = closedPlaces([this.#gate.root, ...allow], this.options.policy).map(({ path }) => path)
    const sandbox = createSandbox({
      mode: policy.sandbox.value, root, allow, readOnly, passes: policy.passesEnv, terminal: policy.terminal,
      resources: { processes: limits.maxProcesses, memoryBytes: limits.maxMemoryBytes }, hosts: policy.hosts?.value,
      // A session without the user's settings takes no password of the user's either.
      ...(this.options.policy !== false && { sudoPassword }),
      ...(!this.settings.dryRun && { task: { network: policy.verbs.network.value === 'on' } }),
    })
    // While the remote host cannot be reached, keep no sandbox: commands must not run on this machine instead.
    if (place || !isElsewhere(policy.terminal)) this.#sandboxes.set(taskId, sandbox)
    return sandbox
  }

  /** The file store that the verbs of a run write to, and what lies beneath it. */
  #openFiles(runId: string, signal: AbortSignal, hooks: HookConsent, policy: PathPolicy | undefined) {
    const { dryRun, gitCommit, atomic, durable, waitMs, changeTexts } = this.settings
    if (dryRun) {
      const overlay = new OverlayFiles()
      return { files: overlay, overlay, transaction: undefined }
    }
    const transaction = new RunTransaction({
      root: this.#state.root, runId, baselines: this.#baselines, git: gitCommit !== false,
      requireGit: gitCommit === true, atomic: atomic !== false, durable, waitMs, signal, hooks, policy,
      unit: this.options.unit?.(), onWait: this.options.onWait,
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
    return createPathGate({ ...options, closed: closedPlaces(directories, this.options.policy), closedAround })
  }
}
