import { valueAt } from '../../../0-text/src/index.js'
import type { HermesOptions } from '../../../0-contracts/src/index.js'
import { requireInside, type ContentStore } from '../../../2-files/src/index.js'
import { carriedNetwork, carry, isDirectory, noGit, requireFixture, requireStore, TreeSender } from '../jobs/index.js'
import { forName, type ReplayOptions } from '../../../6-replay/src/index.js'
import type { Transcript } from '../../../2-transcripts/src/index.js'
import type { JobSettings, ReplayJob } from './job-schema.js'

/** Makes jobs of transcripts; whatever else they need is put into the store, once. */
export class JobSender {
  readonly #trees: TreeSender
  /** Addresses in the store. */
  readonly #mappings = new WeakMap<ReplayOptions['mapping'], Promise<JobSettings['mapping']>>()

  constructor(private readonly store: ContentStore | undefined) {
    this.#trees = new TreeSender(store)
  }

  /**
   * @param yes whether dangerous commands are approved in advance
   * @param toolsets drawn for the transcript, in place of the options'
   * @throws HermesError for what cannot be sent: a repository, something large without a store, a missing fixture
   */
  async jobOf(
    transcript: Transcript, options: ReplayOptions,
    { yes, toolsets }: { yes: boolean; toolsets?: readonly string[] | undefined },
  ): Promise<ReplayJob> {
    const { exportFormat, keepResults, execution } = options
    return {
      version: 1,
      name: transcript.name.slice(0, 256),
      settings: {
        workspace: await this.#workspaceOf(transcript, options),
        ...await this.#expectOf(transcript, options),
        mapping: await this.#mappingOf(options),
        execution: executionOf(toolsets === undefined ? execution : { ...execution, toolsets }, yes),
        exportFormat, keepResults: keepResults === true || undefined,
      },
      transcript: await carry(JSON.stringify(sent(transcript)), 'transcript', this.store),
    }
  }

  /** Stores the trees that all transcripts share. @throws HermesError for those that the store cannot carry */
  async prepare({ workspace, expect }: ReplayOptions): Promise<void> {
    const shared = [
      workspace.kind === 'fixture' ? workspace.directory : undefined,
      expect?.startsWith('sha256:') === true ? undefined : expect,
    ]
    for (const directory of shared) {
      if (directory === undefined || forName(directory, 'a') !== forName(directory, 'b')) continue
      // A missing one is reported for each transcript that needs it.
      if (await isDirectory(directory)) await this.#trees.send(directory)
    }
  }

  async #workspaceOf({ name }: Transcript, { workspace }: ReplayOptions): Promise<JobSettings['workspace']> {
    if (workspace.kind === 'empty') return { kind: 'empty' }
    if (workspace.kind === 'git') throw noGit()
    const directory = forName(workspace.directory, name)
    await requireFixture(directory)
    if (workspace.within !== undefined) requireInside(directory, workspace.within)
    return { kind: 'tree', content: await this.#trees.send(directory) }
  }

  async #expectOf({ name }: Transcript, { expect, expectWithin }: ReplayOptions): Promise<Pick<JobSettings, 'expect'>> {
    if (expect === undefined) return {}
    if (expect.startsWith('sha256:')) return { expect: { kind: 'hash', hash: expect } }
    const directory = forName(expect, name)
    if (expectWithin !== undefined) requireInside(directory, expectWithin)
    return { expect: { kind: 'tree', content: await this.#trees.send(directory) } }
  }

  #mappingOf({ mapping }: ReplayOptions): Promise<JobSettings['mapping']> {
    return valueAt(this.#mappings, mapping, () => this.#sendMapping(mapping))
  }

  async #sendMapping({ shipped, file }: ReplayOptions['mapping']): Promise<JobSettings['mapping']> {
    if (shipped) return { kind: 'shipped', names: [...shipped] }
    return { kind: 'content', content: await requireStore(this.store).put(Buffer.from(file)) }
  }
}

/** The transcript without data about this machine. */
function sent({ name, line, format, turns, tools, root, rootAliases, settings }: Transcript): object {
  return { file: name, line, name, format, turns: turns.map(withoutPlaces), tools, root, rootAliases, settings }
}

/** Without the place of a result in its record, which nobody else needs: what is undefined does not reach the JSON. */
function withoutPlaces(turn: Transcript['turns'][number]): object {
  if (turn.role !== 'results') return turn
  return { ...turn, results: turn.results.map((result) => ({ ...result, place: undefined })) }
}

function executionOf(
  { rootAliases, relativePaths, match, editFormats, toolsets, gitCommit, timeoutMs, sandbox, network }: HermesOptions,
  yes: boolean,
): JobSettings['execution'] {
  return {
    rootAliases: rootAliases && rootAliases.length > 0 ? [...rootAliases] : undefined,
    relativePaths: relativePaths === true || undefined, match, editFormats: editFormats && [...editFormats],
    toolsets: toolsets && [...toolsets], gitCommit, timeoutMs, sandbox, network: carriedNetwork(network),
    yes: yes || undefined,
  }
}
