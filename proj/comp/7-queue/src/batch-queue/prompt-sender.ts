import { priceOf } from '../../../6-agent/src/index.js'
import { toolsetsOf, type BatchPlan, type BatchPrompt } from '../batch/index.js'
import type { ContentStore } from '../../../2-files/src/index.js'
import { carriedNetwork, carry, requireFixture, TreeSender } from '../jobs/index.js'
import type { WorkspaceSource } from '../../../6-replay/src/index.js'
import { serverName } from './other-server.js'
import type { PromptJob, PromptSettings, PromptText } from './prompt-job.js'

/** Makes jobs of prompts; whatever else they need is put into the store, once. */
export class PromptSender {
  readonly #store: ContentStore | undefined
  readonly #trees: TreeSender
  readonly #yes: boolean

  /** @param yes whether dangerous commands are approved in advance */
  constructor(store: ContentStore | undefined, yes: boolean) {
    this.#store = store
    this.#trees = new TreeSender(store)
    this.#yes = yes
  }

  /**
   * Stores what all prompts share.
   * @throws HermesError for a missing fixture, or one that the store cannot carry
   */
  async prepare({ workspace }: BatchPlan): Promise<void> {
    await this.#workspaceOf(workspace)
  }

  /** @throws HermesError for something that cannot be sent: large without a store */
  async jobOf(prompt: BatchPrompt, plan: BatchPlan): Promise<PromptJob> {
    const { agent: { style = 'native', maxTurns, contextWindow, disabledToolsets, baseURL = '', ...agent } } = plan
    const { sandbox, network, gitCommit, enabledToolsets, systemPrompt } = agent
    const model = prompt.model ?? agent.model
    const toolsets = toolsetsOf(prompt, plan) ?? enabledToolsets
    const said: PromptText = { prompt: prompt.prompt, ...optional('systemPrompt', prompt.systemPrompt ?? systemPrompt) }
    return {
      version: 1, name: prompt.name.slice(0, 256),
      settings: {
        workspace: await this.#workspaceOf(plan.workspace),
        server: serverName(baseURL),
        agent: {
          model, style,
          ...optional('maxTurns', prompt.maxTurns ?? maxTurns), ...optional('contextWindow', contextWindow),
          ...optional('disabledToolsets', disabledToolsets && [...disabledToolsets]),
          ...optional('price', priceOf(model, agent)),
        },
        execution: {
          ...optional('toolsets', toolsets && [...toolsets]), ...optional('sandbox', sandbox),
          ...optional('gitCommit', gitCommit), ...carriedNetwork(network), ...(this.#yes && { yes: true }),
        },
      },
      prompt: await carry(JSON.stringify(said), 'prompt', this.#store),
    }
  }

  async #workspaceOf(source: WorkspaceSource): Promise<PromptSettings['workspace']> {
    if (source.kind === 'empty') return { kind: 'empty' }
    if (source.kind === 'git') throw new Error('a repository does not go by a queue')
    await requireFixture(source.directory)
    return { kind: 'tree', content: await this.#trees.send(source.directory) }
  }
}

/** Leaves out an undefined field, since the job is JSON. */
function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  return value === undefined ? {} : { [name]: value } as { [name in Name]: Value }
}
